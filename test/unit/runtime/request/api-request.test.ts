/** Query parameters: escapes, repeats, and the values that stand for booleans, integers and revisions. */
import { describe, expect, it } from 'vitest';
import { prettyRequested, Query, queryOf, readRevision } from '../../../../runtime/request/api-request.js';

describe('texts', () => {
  it.each([
    ['a=1', '1'],
    ['a=1&a=2', '1'],
    ['b=2&a=1', '1'],
    ['a=', ''],
    ['a', ''],
    ['', ''],
    ['a=x%3Dy%26z', 'x=y&z'],
    ['a=x=y', 'x=y'],
    ['a=x+y', 'x y'],
    ['a=x%2By', 'x+y'],
    ['%61=1', '1'],
    ['a=%E2%82%AC', '€'],
  ])('of %j: a is %j', (search, value) => {
    expect(new Query(search).text('a')).toBe(value);
  });

  it.each(['a=1;b=2', 'a=%', 'a=%zz', '%=1', '&&', 'a;=1'])('has no a if the pair is malformed: %j', (search) => {
    expect(new Query(search).has('a')).toBe(false);
  });

  it('keeps the other pairs of a query with a malformed one', () => {
    expect(new Query('a=%&b=2').text('b')).toBe('2');
  });

  it('lists all values in order', () => {
    expect(new Query('a=1&b=x&a=2').all('a')).toEqual(['1', '2']);
    expect(new Query('b=x').all('a')).toEqual([]);
  });

  it('reads names that every object inherits as ordinary names', () => {
    const query = new Query('__proto__=1&constructor=2');
    expect([query.text('__proto__'), query.text('constructor'), query.has('toString')]).toEqual(['1', '2', false]);
  });

  it('survives bytes that are not text', () => {
    expect(new Query('a=%ff%fe').has('a')).toBe(true);
  });
});

describe('booleans', () => {
  it.each([
    ['', undefined],
    ['b=1', undefined],
    ['a=false', false],
    ['a=False', false],
    ['a=0', false],
    ['a=true', true],
    ['a=1', true],
    ['a=', true],
    ['a', true],
    ['a=no', true],
    ['a=false&a=true', false],
  ])('of %j: a is %s', (search, value) => {
    expect(new Query(search).boolean('a')).toBe(value);
  });
});

describe('integers', () => {
  it.each([
    ['', undefined],
    ['a=5', 5],
    ['a=-5', -5],
    ['a=%2B5', 5],
    ['a=007', 7],
    ['a=9223372036854775807', 2 ** 63],
  ])('of %j: a is %s', (search, value) => {
    expect(new Query(search).integer('a')).toEqual({ ok: true, value });
  });

  it.each([
    ['a=x', 'parsing "x": invalid syntax'],
    ['a=1.5', 'parsing "1.5": invalid syntax'],
    ['a=1e3', 'parsing "1e3": invalid syntax'],
    ['a=%205', 'parsing " 5": invalid syntax'],
    ['a=9223372036854775808', 'parsing "9223372036854775808": value out of range'],
    ['a=-9223372036854775809', 'parsing "-9223372036854775809": value out of range'],
  ])('refuses %j', (search, message) => {
    expect(new Query(search).integer('a')).toEqual({
      ok: false,
      failure: expect.objectContaining({ reason: 'BadRequest', message: `strconv.ParseInt: ${message}` }),
    });
  });
});

describe('queries that were asked before', () => {
  it('are the same, parsed once', () => {
    expect(queryOf('limit=5')).toBe(queryOf('limit=5'));
    expect(queryOf('limit=5')).not.toBe(queryOf('limit=6'));
  });

  it('are not kept forever, and long ones not at all', () => {
    const first = queryOf('continue=first');
    for (let at = 0; at < 512; at++) queryOf(`continue=${at}`);
    expect(queryOf('continue=first')).not.toBe(first);
    const long = `continue=${'x'.repeat(1024)}`;
    expect(queryOf(long)).not.toBe(queryOf(long));
  });
});

describe('pretty answers', () => {
  const pretty = (asked: string, agent?: string): boolean =>
    prettyRequested({ headers: { 'user-agent': agent } }, new Query(asked === '' ? '' : `pretty=${asked}`));

  it('are sent on request and to programs for people', () => {
    expect(pretty('true')).toBe(true);
    expect(pretty('false', 'curl/8')).toBe(false);
    expect(pretty('perhaps', 'curl/8')).toBe(false);
    expect([pretty('', 'curl/8'), pretty('', 'Mozilla/5.0 (X)'), pretty('', 'kubectl')]).toEqual([true, true, false]);
  });
});

describe('revisions', () => {
  it.each([
    ['', undefined],
    ['0', 0],
    ['007', 7],
  ])('reads %j', (text, revision) => {
    expect(readRevision(text)).toEqual({ ok: true, value: revision });
  });

  it.each(['x', '-1', '+1', '1.5', ' 1', '1e3', '0x1'])('refuses %j', (text) => {
    expect(readRevision(text)).toMatchObject({ ok: false, failure: { reason: 'BadRequest' } });
  });
});
