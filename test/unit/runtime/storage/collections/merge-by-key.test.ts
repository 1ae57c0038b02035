import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeAll, mergeByKey } from '../../../../../runtime/storage/collections/merge-by-key.js';

const keyed = (keys: readonly string[]) => keys.map((key) => ({ key }))[Symbol.iterator]();

describe('merging by key', () => {
  it('pairs what has the same key', () => {
    const pairs = [...mergeByKey(keyed(['a', 'c', 'd']), keyed(['b', 'c', 'e', 'f']))];
    expect(pairs.map(({ left, right }) => `${left?.key ?? '-'}${right?.key ?? '-'}`)).toEqual([
      ...['a-', '-b', 'cc', 'd-', '-e', '-f'],
    ]);
  });

  it('puts any number of sequences in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(10_000).map((value) => String(value + 10_000))), fc.nat(9), (keys, count) => {
        const parts = Array.from({ length: count }, (_, at) => keys.filter((key) => Number(key) % count === at).sort());
        const merged = [...mergeAll(parts.map(keyed))].map(({ key }) => key);
        expect(merged).toEqual(count === 0 ? [] : [...keys].sort());
      }),
    );
  });
});
