/** Headers that name a user. */
import { describe, expect, it } from 'vitest';
import { extrasOfHeaders, valuesOfHeader } from '../../../../runtime/objects/tracing.js';

describe('the values of a header', () => {
  it.each<[Parameters<typeof valuesOfHeader>[0], readonly string[]]>([
    [{ headers: {} }, []],
    [{ headers: { a: 'x' } }, ['x']],
    [{ headers: { a: ['x', 'y'] } }, ['x', 'y']],
    [{ headers: { a: 'x' }, valuesOf: (name) => [name, 'x', 'y'] }, ['a', 'x', 'y']],
    [{ headers: { b: 'x' }, valuesOf: () => ['never asked'] }, []],
  ])('of %j are %j', (source, expected) => expect(valuesOfHeader(source, 'a')).toEqual(expected));
});

describe('the extras of a user', () => {
  it('have keys that begin with a prefix, decoded', () => {
    const headers = { 'x-extra-acme.com%2Fproject': 'p', 'x-extra-scopes': ['a', 'b'], 'x-extra-%zz': 'c', other: 'd' };
    expect(extrasOfHeaders({ headers }, ['x-extra-'])).toEqual({
      'acme.com/project': ['p'],
      scopes: ['a', 'b'],
      '%zz': ['c'],
    });
  });

  it('of several prefixes, and with keys that are equal once they are decoded, are combined', () => {
    const headers = { 'a-k%2Fx': '1', 'a-k/x': '2', 'b-k%2fx': '3' };
    expect(extrasOfHeaders({ headers }, ['a-', 'b-'])).toEqual({ 'k/x': ['1', '2', '3'] });
  });

  it('may have any name', () => {
    const extras = extrasOfHeaders({ headers: { 'a-__proto__': 'x', 'a-constructor': 'y' } }, ['a-']);
    expect(Object.entries(extras)).toEqual([
      ['__proto__', ['x']],
      ['constructor', ['y']],
    ]);
  });
});
