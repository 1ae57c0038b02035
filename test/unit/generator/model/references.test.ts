import { describe, expect, test } from 'vitest';
import { findReferences, isReference, libraryOf } from '../../../../generator/model/references.js';

describe('isReference', () => {
  test.each(['meta/v1#/Condition', 'a#/B', 'storage.k8s/v1beta1#/T1'])('%s', (text) => {
    expect(isReference(text)).toBe(true);
  });
  test.each([
    '',
    '#/Condition',
    'meta/v1',
    'meta/v1#Condition',
    'meta/v1#/a/b',
    'meta v1#/A',
    'meta/v1#/1A',
    `a#/${'B'.repeat(300)}`,
  ])('refuses %s', (text) => {
    expect(isReference(text)).toBe(false);
  });
  test('names its library', () => {
    expect(libraryOf('meta/v1#/Condition')).toBe('meta/v1');
  });
});

test('finds references wherever a schema is allowed, and nowhere else', () => {
  const reference = (name: string) => ({ $ref: `l#/${name}` });
  const schema = {
    properties: { a: reference('A'), $ref: reference('B'), properties: { properties: { c: reference('C') } } },
    additionalProperties: reference('D'),
    items: reference('E'),
    allOf: [reference('F')],
    anyOf: [{ oneOf: [reference('G')] }],
    not: reference('H'),
    default: reference('no'),
    enum: [reference('no')],
    example: { properties: reference('no') },
    required: 'wrong',
  };
  const found = findReferences(schema);
  expect(found.map((each) => each.target)).toEqual(
    ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((name) => `l#/${name}`),
  );
  expect(found[2]?.path).toEqual(['properties', 'properties', 'properties', 'c']);
});
