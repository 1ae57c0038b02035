/** The order of `--sort-by`. */
import { describe, expect, it } from 'vitest';
import { sortBy } from '../../../../../bin/objects/get.js';
import type { JsonValue } from '../../../../../runtime/contract/index.js';

const sorted = (...values: readonly (JsonValue | undefined)[]): readonly (JsonValue | undefined)[] =>
  sortBy(values, '.a.b', (value) => (value === undefined ? {} : { a: { b: value } }));

describe('sorted values', () => {
  it.each<[string, readonly (JsonValue | undefined)[]]>([
    ['numbers', [-1, 0, 0.5, 2n ** 60n, 2n ** 60n + 1n, 2e20]],
    ['texts with numbers in them', ['', 'a', 'a2', 'a2b', 'a02', 'a10', 'b1']],
    ['quantities', ['100m', '1', '1Ki', '2M', '1Gi']],
    ['times', ['2020-01-01T00:00:00Z', '2020-01-01T00:00:09Z', '2021-01-01T00:00:00Z']],
    ['truths', [false, true]],
    ['what is not there, and null, before the rest', [undefined, null, 'a']],
  ])('are %s', (_, values) => {
    expect(sorted(...[...values].reverse())).toEqual(values.includes(undefined) ? [null, undefined, 'a'] : values);
    expect(sorted(...values)).toEqual(values);
  });

  it('stay in order if they are equal', () => {
    const items = [
      { n: 1, b: 'x' },
      { n: 2, b: 'x' },
      { n: 3, b: 'a' },
    ];
    expect(sortBy(items, 'b', (item) => item).map(({ n }) => n)).toEqual([3, 1, 2]);
  });

  it.each<[JsonValue, JsonValue, string]>([
    [1, 'a', 'have no order'],
    [{}, {}, 'an object and an object have no order'],
    [[], [], 'a list and a list have no order'],
  ])('%j and %j have no order', (a, b, message) => expect(() => sorted(a, b)).toThrow(message));

  it('exist', () => {
    expect(() => sorted(undefined, undefined)).toThrow('no object has .a.b');
    expect(sorted()).toEqual([]);
  });
});
