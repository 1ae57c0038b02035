/** Lists that are kept: made once until something in them changes, and no more of them than there is room for. */
import { describe, expect, it } from 'vitest';
import type { EntryFilter, ListOptions } from '../../../../../runtime/contract/index.js';
import { ListCache } from '../../../../../runtime/storage/memory/list-cache.js';
import type { StoredEntry } from '../../../../../runtime/storage/memory/stored-entry.js';

const widgets = 'example.com/widgets/';
const gadgets = 'example.com/gadgets/';

const filter = (): EntryFilter => ({ conditions: [], matches: () => true });

/** Asks for lists, and counts the lists that were made. */
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
  it('are the same for all who ask', () => {
    const { ask, made } = asker(new ListCache());
    expect(ask(widgets)).toBe(ask(widgets));
    expect(made()).toBe(1);
  });

  it('say whether they were asked for before', () => {
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
  ])('are not taken for those with %s', (_, prefix, options) => {
    const { ask, made } = asker(new ListCache());
    const first = ask(widgets);
    expect(ask(prefix, options)).not.toBe(first);
    expect(made()).toBe(2);
  });

  it('differ if their prefixes end elsewhere', () => {
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

  it('of one filter leave their room to the next list of the same filter', () => {
    const { ask, made } = asker(new ListCache());
    const only = filter();
    ask(gadgets, {}, 60_000);
    for (const limit of [1, 2, 3]) ask(widgets, { only, limit }, 200_000);
    ask(gadgets);
    expect(made()).toBe(4);
  });

  it('are at most 32, those go that were not asked for the longest', () => {
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

  it('have at most 262,144 entries in all, and one that has more is not kept', () => {
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

  it('leave their room when they are forgotten', () => {
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
