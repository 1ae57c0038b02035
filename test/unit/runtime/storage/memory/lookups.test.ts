/** Indexes of labels and fields: when they are built, which entries they leave, and when they are dropped. */
import { describe, expect, it } from 'vitest';
import type { Condition, EntryFilter, ListOptions } from '../../../../../runtime/contract/index.js';
import { AttributeIndexes, AttributePool, ListCache } from '../../../../../runtime/storage/memory/lookups.js';
import { StoredEntry } from '../../../../../runtime/storage/memory/stored-entry.js';
import { OrderedIndex } from '../../../../../runtime/storage/ordered-index.js';

let time = 0;

function entry(at: number, labels: Readonly<Record<string, string>>): StoredEntry {
  return new StoredEntry(`g/things/n${at % 2}/${1000 + at}`, at + 1, { labels, fields: { 'spec.half': `${at % 2}` } });
}

/** Makes a thousand entries: ten of each `rack`, all with the same `app`. */
function filled(): { readonly live: OrderedIndex<StoredEntry>; readonly indexes: AttributeIndexes } {
  const live = new OrderedIndex<StoredEntry>();
  for (let at = 0; at < 1000; at++) live.put(entry(at, { app: 'a', rack: `r${Math.floor(at / 10)}` }));
  return { live, indexes: new AttributeIndexes(live, () => time) };
}

const label = (key: string, ...values: string[]): Condition =>
  values.length > 0 ? { of: 'labels', key, values } : { of: 'labels', key };

function narrowed(indexes: AttributeIndexes, conditions: readonly Condition[], prefix = 'g/things/', after?: string) {
  const filter: EntryFilter = { conditions, matches: () => true };
  const pieces = indexes.narrow(prefix, after, filter, prefix.endsWith('things/') ? 1000 : 500);
  return pieces && [...pieces].flat().map(({ key }) => key);
}

describe('the indexes of a resource', () => {
  it('leave only the entries of a label from the second use on', () => {
    const { indexes } = filled();
    expect(narrowed(indexes, [label('rack', 'r1')])).toBeUndefined();
    expect(indexes.size).toBe(0);
    const expected = [10, 12, 14, 16, 18].map((at) => `g/things/n0/${1000 + at}`);
    expect(narrowed(indexes, [label('rack', 'r1')])?.slice(0, 5)).toEqual(expected);
    expect(narrowed(indexes, [label('rack', 'r1')])).toHaveLength(10);
    expect(narrowed(indexes, [label('rack', 'r1')], 'g/things/n0/')).toEqual(expected);
    expect(narrowed(indexes, [label('rack', 'r1')], 'g/things/n0/', expected[2])).toEqual(expected.slice(3));
    expect(narrowed(indexes, [label('rack', 'none')])).toEqual([]);
    expect(indexes.size).toBe(1);
  });

  it('read fields that entries do not keep, separately for each reader', () => {
    const { live, indexes } = filled();
    const reading = (digits: number): Condition => ({
      of: 'fields',
      key: 'spec.end',
      values: ['7'.repeat(digits)],
      read: ({ key }) => ({ 'spec.end': key.slice(-digits) }),
    });
    const [one, two] = [reading(1), reading(2)];
    for (const condition of [one, two]) expect(narrowed(indexes, [condition])).toBeUndefined();
    expect(narrowed(indexes, [one])).toHaveLength(100);
    expect(narrowed(indexes, [two])).toHaveLength(10);
    const [key = ''] = narrowed(indexes, [two]) ?? [];
    const gone = live.get(key);
    if (!gone) throw new Error('there is no such entry');
    indexes.replace(key, gone, undefined);
    expect(narrowed(indexes, [one])).toHaveLength(99);
    expect(narrowed(indexes, [two])).toHaveLength(9);
  });

  it('leave the entries of several values in the order of their keys', () => {
    const { indexes } = filled();
    narrowed(indexes, [label('rack', 'r3', 'r1', 'none', 'r2')]);
    const keys = narrowed(indexes, [label('rack', 'r3', 'r1', 'none', 'r2')]) ?? [];
    expect(keys).toHaveLength(30);
    expect(keys).toEqual([...keys].sort());
  });

  it('use the condition that leaves the fewest entries, and none that leaves most', () => {
    const { indexes } = filled();
    for (let round = 0; round < 2; round++) narrowed(indexes, [label('app', 'a'), label('rack', 'r1')]);
    expect(narrowed(indexes, [label('app', 'a'), label('rack', 'r1')])).toHaveLength(10);
    expect(indexes.size).toBe(2);
    expect(narrowed(indexes, [label('app', 'a')])).toBeUndefined();
  });

  it('find the entries that have a label with any value, and entries by a field', () => {
    const { live, indexes } = filled();
    live.put(entry(7, { odd: '' }));
    const half: Condition = { of: 'fields', key: 'spec.half', values: ['1'] };
    const absent: Condition = { of: 'fields', key: 'spec.none', values: ['1'] };
    narrowed(indexes, [label('odd')]);
    expect(narrowed(indexes, [label('odd')])).toEqual(['g/things/n1/1007']);
    narrowed(indexes, [absent]);
    expect(narrowed(indexes, [absent])).toEqual([]);
    narrowed(indexes, [half]);
    expect(narrowed(indexes, [half])).toBeUndefined();
    expect(indexes.size).toBe(3);
  });

  it('are not built for few entries, for one key, or beyond one resource', () => {
    const { indexes } = filled();
    const filter: EntryFilter = { conditions: [label('rack', 'r1')], matches: () => true };
    for (let round = 0; round < 3; round++) {
      expect(indexes.narrow('g/things/', undefined, filter, 63)).toBeUndefined();
      expect(indexes.narrow('g/things/n0/1000', undefined, filter, 1000)).toBeUndefined();
      expect(indexes.narrow('g/', undefined, filter, 1000)).toBeUndefined();
      expect(indexes.narrow('', undefined, filter, 1000)).toBeUndefined();
    }
    expect(indexes.size).toBe(0);
  });

  it('are eight at most, the last used ones', () => {
    const { indexes } = filled();
    for (let key = 0; key < 9; key++) {
      for (let round = 0; round < 2; round++) narrowed(indexes, [label('rack', 'r1')]);
      for (let round = 0; round < 2; round++) narrowed(indexes, [label(`k${key}`, 'x')]);
    }
    expect(indexes.size).toBe(8);
    expect(narrowed(indexes, [label('rack', 'r1')])).toHaveLength(10);
    expect(narrowed(indexes, [label('k0', 'x')])).toBeUndefined();
  });

  it('are dropped after ten unused minutes', () => {
    const { indexes } = filled();
    for (const key of ['rack', 'app', 'rack', 'app']) narrowed(indexes, [label(key, 'r1')]);
    time += 9 * 60_000;
    narrowed(indexes, [label('rack', 'r1')]);
    time += 2 * 60_000;
    indexes.trim();
    expect(indexes.size).toBe(1);
    time += 11 * 60_000;
    indexes.trim();
    expect(indexes.size).toBe(0);
  });

  it('follow new, changed and removed entries', () => {
    const { live, indexes } = filled();
    const change = (old: StoredEntry | undefined, next: StoredEntry | undefined) => {
      if (next) live.put(next);
      indexes.replace((next ?? old)?.key ?? '', old, next);
    };
    for (let round = 0; round < 2; round++) narrowed(indexes, [label('rack', 'r1')]);
    const before = live.get('g/things/n0/1010');
    const moved = entry(10, { rack: 'r2' });
    change(before, moved);
    change(undefined, entry(5000, { rack: 'r1' }));
    expect(narrowed(indexes, [label('rack', 'r1')])).not.toContain('g/things/n0/1010');
    expect(narrowed(indexes, [label('rack', 'r1')])).toContain('g/things/n0/6000');
    expect(narrowed(indexes, [label('rack', 'r2')])).toContain('g/things/n0/1010');
    change(moved, undefined);
    expect(narrowed(indexes, [label('rack', 'r2')])).toHaveLength(10);
  });
});

describe('shared attributes', () => {
  it('are equal to the given ones', () => {
    const pool = new AttributePool();
    const attributes = { labels: { app: 'a', __proto__x: 'b' }, fields: { 'spec.x': '1' } };
    expect(pool.share(attributes)).toEqual(attributes);
    expect(pool.share({ labels: {}, fields: {} })).toEqual({ labels: {}, fields: {} });
  });

  it('are the same object for the same labels', () => {
    const pool = new AttributePool();
    const one = pool.share({ labels: { app: 'a' }, fields: {} });
    expect(pool.share({ labels: { app: 'a' }, fields: {} })).toBe(one);
    expect(pool.share({ labels: { app: 'b' }, fields: {} })).not.toBe(one);
    const other = pool.share({ labels: { app: 'a' }, fields: { 'spec.x': '1' } });
    expect(other.labels).toBe(one.labels);
    expect(other.fields).toEqual({ 'spec.x': '1' });
  });

  it('are not kept forever', () => {
    const pool = new AttributePool();
    const one = pool.share({ labels: { app: 'a' }, fields: {} });
    for (let index = 0; index < 10_000; index++) pool.share({ labels: { index: String(index) }, fields: {} });
    const again = pool.share({ labels: { app: 'a' }, fields: {} });
    expect(again).not.toBe(one);
    expect(again).toEqual(one);
  });
});

const widgets = 'example.com/widgets/';
const gadgets = 'example.com/gadgets/';

const filter = (): EntryFilter => ({ conditions: [], matches: () => true });

/** Asks for lists, and counts the ones that were made. */
function asker(lists: ListCache) {
  let made = 0;
  return {
    made: () => made,
    ask: (prefix: string, options: ListOptions = {}, length = 3): readonly StoredEntry[] =>
      lists.of(prefix, options, () => {
        made++;
        return { entries: new Array<StoredEntry>(length), remaining: 0 };
      }).entries,
  };
}

describe('kept lists', () => {
  it('are the same for all callers', () => {
    const { ask, made } = asker(new ListCache());
    expect(ask(widgets)).toBe(ask(widgets));
    expect(made()).toBe(1);
  });

  it('report whether they were requested before', () => {
    const lists = new ListCache();
    const only = filter();
    const ask = (options: ListOptions) => lists.of(widgets, options, () => ({ entries: [], remaining: 7 }));
    for (const options of [{}, { only }]) {
      expect(ask(options)).toEqual({ entries: [], remaining: 7, repeated: false });
      expect(ask(options)).toEqual({ entries: [], remaining: 7, repeated: true });
      lists.forget(`${widgets}default/a`);
      expect(ask(options).repeated).toBe(false);
    }
  });

  it.each([
    ['another prefix', gadgets, {}],
    ['a prefix of the prefix', 'example.com/', {}],
    ['a limit', widgets, { limit: 10 }],
    ['a place to begin behind', widgets, { after: `${widgets}default/a` }],
    ['both', widgets, { limit: 10, after: `${widgets}default/a` }],
  ])('are not confused with lists with %s', (_, prefix, options) => {
    const { ask, made } = asker(new ListCache());
    const first = ask(widgets);
    expect(ask(prefix, options)).not.toBe(first);
    expect(made()).toBe(2);
  });

  it('differ if their prefixes end at another point', () => {
    const { ask, made } = asker(new ListCache());
    ask(widgets, { after: 'default/a' });
    ask(`${widgets}default/`, { after: 'a' });
    expect(made()).toBe(2);
  });

  it('are made again after a change of a key under their prefix, and only then', () => {
    const lists = new ListCache();
    const { ask, made } = asker(lists);
    const all = [() => ask(widgets), () => ask(`${widgets}default/`, { limit: 2 }), () => ask(gadgets)];
    const before = all.map((list) => list());
    lists.forget(`${widgets}other/a`);
    const after = all.map((list) => list());
    expect(after.map((list, i) => list === before[i])).toEqual([false, true, true]);
    expect(made()).toBe(4);
    lists.forget(`${widgets}default/a`);
    expect(all.map((list, i) => list() === after[i])).toEqual([false, false, true]);
  });

  it('differ by their filter, and for one filter by all other options', () => {
    const lists = new ListCache();
    const { ask, made } = asker(lists);
    const [some, others] = [filter(), filter()];
    const all: readonly ListOptions[] = [{}, { only: some }, { only: others }];
    const before = all.map((options) => ask(widgets, options));
    expect(new Set(before).size).toBe(3);
    expect(all.map((options) => ask(widgets, options))).toEqual(before);
    expect(made()).toBe(3);
    for (const [prefix, options] of [
      [gadgets, {}],
      [widgets, { limit: 2 }],
      [widgets, { limit: 2, after: `${widgets}default/a` }],
    ] as const) {
      const list = ask(prefix, { ...options, only: some });
      expect(before).not.toContain(list);
      expect(ask(prefix, { ...options, only: some })).toBe(list);
    }
    expect(ask(widgets, { only: others })).toBe(before[2]);
    expect(made()).toBe(6);
    lists.forget(`${widgets}default/a`);
    expect(ask(widgets, { only: others })).not.toBe(before[2]);
  });

  it('of one filter are replaced by the next list of the same filter', () => {
    const { ask, made } = asker(new ListCache());
    const only = filter();
    ask(gadgets, {}, 60_000);
    for (const limit of [1, 2, 3]) ask(widgets, { only, limit }, 200_000);
    ask(gadgets);
    expect(made()).toBe(4);
  });

  it('are at most 32, and the least recently requested are dropped', () => {
    const { ask, made } = asker(new ListCache());
    const first = ask(widgets);
    for (let limit = 1; limit <= 60; limit++) {
      ask(widgets, { limit });
      expect(ask(widgets)).toBe(first);
    }
    expect(made()).toBe(61);
    for (let limit = 60; limit > 29; limit--) ask(widgets, { limit });
    expect(made()).toBe(61);
    ask(widgets, { limit: 29 });
    expect(made()).toBe(62);
  });

  it('have at most 262,144 entries in all, and a longer list is not kept', () => {
    const lists = new ListCache();
    const { ask, made } = asker(lists);
    ask(widgets, { limit: 1 }, 200_000);
    ask(widgets, { limit: 2 }, 60_000);
    ask(widgets, { limit: 3 }, 300_000);
    ask(widgets, { limit: 1 });
    ask(widgets, { limit: 2 });
    expect(made()).toBe(3);
    ask(widgets, { limit: 3 }, 3_000);
    expect(made()).toBe(4);
    ask(widgets, { limit: 2 });
    ask(widgets, { limit: 3 });
    expect(made()).toBe(4);
    ask(widgets, { limit: 1 }, 200_000);
    expect(made()).toBe(5);
  });

  it('free their room when they are forgotten', () => {
    const lists = new ListCache();
    const { ask, made } = asker(lists);
    for (let round = 0; round < 5; round++) {
      ask(widgets, {}, 200_000);
      lists.forget(`${widgets}default/a`);
    }
    ask(widgets, {}, 200_000);
    ask(gadgets, {}, 60_000);
    ask(widgets);
    ask(gadgets);
    expect(made()).toBe(7);
  });
});
