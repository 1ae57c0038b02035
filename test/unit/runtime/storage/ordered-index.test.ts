import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys } from '../../../../runtime/storage/keys.js';
import { mergeAll, mergeByKey, OrderedIndex, PrefixSums } from '../../../../runtime/storage/ordered-index.js';

describe('prefix sums', () => {
  it('are right, also after changes', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(counts, fc.array(fc.tuple(fc.nat(39), fc.integer({ min: 1, max: 5 }))), (start, changes) => {
        const model = [...start];
        const sums = new PrefixSums(start);
        for (const [at, delta] of changes) {
          const place = at % model.length;
          model[place] = (model[place] ?? 0) + delta;
          sums.add(place, delta);
        }
        let before = 0;
        for (const [place, count] of model.entries()) {
          expect(sums.before(place)).toBe(before);
          expect(sums.locate(before)).toEqual({ place, offset: 0 });
          expect(sums.locate(before + count - 1)).toEqual({ place, offset: count - 1 });
          before += count;
        }
        expect(sums.before(model.length)).toBe(before);
        expect(sums.locate(before + 3)).toEqual({ place: model.length, offset: 3 });
      }),
    );
  });

  it('are zero for an empty list', () => {
    expect(new PrefixSums([]).before(0)).toBe(0);
    expect(new PrefixSums([]).locate(0).place).toBe(0);
  });
});

const keyed = (keys: readonly string[]) => keys.map((key) => ({ key }))[Symbol.iterator]();

describe('merging by key', () => {
  it('pairs items with the same key', () => {
    const pairs = [...mergeByKey(keyed(['a', 'c', 'd']), keyed(['b', 'c', 'e', 'f']))];
    expect(pairs.map(({ left, right }) => `${left?.key ?? '-'}${right?.key ?? '-'}`)).toEqual([
      ...['a-', '-b', 'cc', 'd-', '-e', '-f'],
    ]);
  });

  it('merges any number of sequences in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(10_000).map((value) => String(value + 10_000))), fc.nat(9), (keys, count) => {
        const parts = Array.from({ length: count }, (_, at) => keys.filter((key) => Number(key) % count === at).sort());
        const merged = [...mergeAll(parts.map(keyed))].map(({ key }) => key);
        expect(merged).toEqual(count === 0 ? [] : [...keys].sort());
      }),
    );
  });
});

interface Item {
  readonly key: string;
  readonly value: number;
}

/** The same with a sorted array. */
class Model {
  items: Item[] = [];

  put(item: Item): Item | undefined {
    const old = this.remove(item.key);
    this.items.push(item);
    this.items.sort((a, b) => compareKeys(a.key, b.key));
    return old;
  }

  remove(key: string): Item | undefined {
    const old = this.items.find((item) => item.key === key);
    this.items = this.items.filter((item) => item !== old);
    return old;
  }

  rank(key: string): number {
    return this.items.filter((item) => compareKeys(item.key, key) < 0).length;
  }
}

function expectSame(index: OrderedIndex<Item>, model: Model, probes: readonly string[]): void {
  expect(index.length).toBe(model.items.length);
  expect(index.slice(0, index.length)).toEqual(model.items);
  for (const key of probes) {
    expect(index.get(key)).toBe(model.items.find((item) => item.key === key));
    expect(index.rank(key)).toBe(model.rank(key));
    const at = index.rank(key);
    expect(index.slice(at, at + 7)).toEqual(model.items.slice(at, at + 7));
    expect([...index.pieces(at, at + 700)].flat()).toEqual(model.items.slice(at, at + 700));
  }
}

describe('an ordered index', () => {
  it('agrees with a sorted array', () => {
    const key = fc.oneof(
      { weight: 30, arbitrary: fc.nat(3000).map((number) => `k${number}`) },
      { weight: 1, arbitrary: fc.constantFrom('k\uffee', 'k\u{1f600}', '', 'k', '~') },
    );
    const runs = fc.array(
      fc.record({ remove: fc.boolean(), keys: fc.array(key, { minLength: 200, maxLength: 600, size: 'max' }) }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(runs, (sequence) => {
        const index = new OrderedIndex<Item>();
        const model = new Model();
        let value = 0;
        for (const { remove, keys } of sequence) {
          for (const each of keys) {
            if (remove) expect(index.remove(each)).toBe(model.remove(each));
            else {
              const item = { key: each, value: value++ };
              expect(index.put(item)).toBe(model.put(item));
            }
          }
          expectSame(index, model, keys.slice(0, 40));
        }
      }),
      { numRuns: 12 },
    );
  }, 300_000);

  it('adds many keys in order, and removes them in order', () => {
    const index = new OrderedIndex<Item>();
    for (let value = 0; value < 20_000; value++) index.put({ key: `k${value + 100_000}`, value });
    expect(index.rank('k115000')).toBe(15_000);
    expect(index.slice(10_000, 10_003).map(({ value }) => value)).toEqual([10_000, 10_001, 10_002]);
    for (let value = 0; value < 19_990; value++) index.remove(`k${value + 100_000}`);
    expect(index.slice(0, 100).map(({ value }) => value)).toEqual([...Array(10).keys()].map((at) => 19_990 + at));
    expect(index.slice(10, 20)).toEqual([]);
    expect([...index.pieces(10, 20)]).toEqual([]);
    expect(index.rank('z')).toBe(10);
  });

  it('is empty at first', () => {
    const index = new OrderedIndex<Item>();
    expect([index.length, index.rank('a'), index.slice(0, 1), index.get('a'), index.remove('a')]).toEqual([
      0,
      0,
      [],
      undefined,
      undefined,
    ]);
  });
});
