import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyOf, isEqual } from '../../../client/values.js';

it('copies everything in a value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const whole = { value, list: [value] };
      const copy = copyOf(whole);
      expect(copy).toEqual(whole);
      expect(isEqual(copy, whole)).toBe(true);
      copy.list.push(null);
      expect(whole.list.length).toBe(1);
    }),
  );
  expect(copyOf(undefined)).toBeUndefined();
});

it('keeps __proto__ a key', () => {
  const copy = copyOf<object>(JSON.parse('{"__proto__":{"a":1}}'));
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

it('copies and compares at any depth', () => {
  const value: unknown = JSON.parse(`${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`);
  const copy = copyOf(value);
  expect([copy === value, isEqual(copy, value)]).toEqual([false, true]);
});
