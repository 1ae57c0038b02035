/** A recursive function that asks for its deep parts gives the same as one that only calls itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { FromBelow } from '../../../../../runtime/objects/depth/from-below.js';

/** The sum of the numbers in a value, one more for each list or object, and the deepest level of them that is empty. */
type Sum = readonly [sum: number, deepest: number];

/** Adds up by recursion; what is `stop` levels down is asked for. */
function summing(stop: number): (value: JsonValue) => Sum {
  const parts = new FromBelow<Sum>([0, 0]);
  const sumAt = (value: JsonValue, level: number): Sum => {
    if (typeof value === 'number') return [value, 0];
    if (typeof value !== 'object' || value === null) return [0, 0];
    if (level === stop) return parts.resultOf([value], () => sumAt(value, 0));
    const sums = Object.values(value).map((child) => sumAt(child ?? null, level + 1));
    return [1 + sums.reduce((all, [sum]) => all + sum, 0), 1 + Math.max(0, ...sums.map(([, deepest]) => deepest))];
  };
  return (value) => sumAt(value, 0);
}

describe('FromBelow', () => {
  it('gives the results of plain recursion', () => {
    const plain = summing(Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 9 }), fc.integer({ min: 1, max: 4 }), (json, stop) => {
        const value: JsonValue = JSON.parse(JSON.stringify(json));
        const sum = summing(stop);
        expect(sum(value)).toEqual(plain(value));
        expect(sum([value, value])).toEqual(plain([value, value]));
      }),
    );
  });

  it('goes as deep as values do, in time that grows with them', () => {
    let value: JsonValue = [1];
    for (let i = 1; i < 200_000; i++) value = [value, 1];
    expect(summing(200)(value)).toEqual([400_000, 200_000]);
  });

  it('is as new after a failure', () => {
    const parts = new FromBelow<number>(0);
    const at = (value: JsonValue, level: number): number => {
      if (!Array.isArray(value)) throw new Error('no list');
      if (level === 2) return parts.resultOf([value], () => at(value, 0));
      return 1 + value.reduce<number>((sum, item) => sum + at(item, level + 1), 0);
    };
    expect(() => at([[[[['x']]]]], 0)).toThrow('no list');
    expect(at([[[[[[]]]]]], 0)).toBe(6);
  });
});
