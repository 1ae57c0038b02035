/** Depth is measured whatever room the stack has. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { isDeeper } from '../../../../../runtime/objects/depth/levels.js';

function levelsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((child) => levelsOf(child ?? null)));
}

it('is that of the deepest list or object', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (json, levels) => {
      const value: JsonValue = JSON.parse(JSON.stringify(json));
      expect(isDeeper(value, levels)).toBe(levelsOf(value) > levels);
    }),
  );
});

it('may be any', () => {
  let value: JsonValue = {};
  for (let i = 1; i < 100_000; i++) value = { a: value };
  expect([isDeeper(value, 99_999), isDeeper(value, 100_000)]).toEqual([true, false]);
});
