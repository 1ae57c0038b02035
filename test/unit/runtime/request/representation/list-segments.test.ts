/** Runs of list items: the same bytes whatever was listed before, and unchanged runs are not joined again. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../../runtime/contract/index.js';
import { ListSegments } from '../../../../../runtime/request/representation/list-segments.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { widgets } from '../../../../support/widgets.js';

const resource = serveResource(widgets);
const other = serveResource(widgets);

const entry = (revision: number, text = `{"n":${revision}}`): Entry => ({
  key: `example.com/widgets/default/${revision}`,
  revision,
  bytes: Buffer.from(text),
  attributes: { labels: {}, fields: {} },
});

const entries = (count: number, from = 1): Entry[] => Array.from({ length: count }, (_, i) => entry(from + i));

/** Whole items, unchanged. */
const items = { of: (_: unknown, { bytes }: Entry) => bytes, skip: 0 };

/** Makes a joiner that counts the items that it reads. */
function joiner(maxBytes: number, skip = 0) {
  const runs = new ListSegments(maxBytes);
  return {
    runs,
    join(list: readonly Entry[], of = resource) {
      let read = 0;
      const bytes = (_: unknown, one: Entry): Uint8Array => {
        read++;
        return one.bytes;
      };
      return { text: Buffer.concat(runs.join(of, list, { of: bytes, skip })).toString(), read };
    },
  };
}

const textOf = (list: readonly Entry[]): string => list.map(({ bytes }) => Buffer.from(bytes).toString()).join(',');

describe('runs of items', () => {
  it.each([0, 1, 63, 64, 65, 200, 1000])('join %i items', (count) => {
    const list = entries(count);
    expect(joiner(1e6).join(list)).toEqual({ text: textOf(list), read: count });
  });

  it('are read once while nothing changes', () => {
    const { join } = joiner(1e6);
    const list = entries(300);
    join(list);
    expect(join([...list])).toEqual({ text: textOf(list), read: 0 });
  });

  it('are read again only beside a change', () => {
    const { join } = joiner(1e6);
    const list = entries(1000);
    join(list);
    const changed = list.with(500, entry(1001));
    const { text, read } = join(changed);
    expect(text).toBe(textOf(changed));
    expect(read).toBeLessThanOrEqual(128);
    const inserted = changed.toSpliced(100, 0, entry(1002));
    const second = join(inserted);
    expect(second.text).toBe(textOf(inserted));
    expect(second.read).toBeLessThanOrEqual(128);
    const removed = inserted.toSpliced(700, 1);
    expect(join(removed).text).toBe(textOf(removed));
  });

  it('serve pages too, and survive a page that ends within one', () => {
    const { join } = joiner(1e6);
    const list = entries(400);
    join(list);
    expect(join(list.slice(0, 100)).text).toBe(textOf(list.slice(0, 100)));
    expect(join(list.slice(100)).text).toBe(textOf(list.slice(100)));
    expect(join(list).read).toBe(0);
  });

  it('belong to their own version of the resource', () => {
    const { join } = joiner(1e6);
    const list = entries(10);
    join(list);
    expect(join(list, other).read).toBe(10);
  });

  it('leave out the front of an item', () => {
    const list = [entry(1, '{"kind":"A","n":1}'), entry(2, '{"kind":"A","n":2}')];
    expect(joiner(1e6, '{"kind":"A",'.length).join(list).text).toBe('{"n":1},{"n":2}');
  });

  it('stay within their memory limit, and the oldest go first', () => {
    const { runs, join } = joiner(2000);
    const first = entries(64);
    const second = entries(64, 64);
    join(first);
    join(second);
    for (let from = 1000; from < 3000; from += 64) join(entries(64, from));
    expect(runs.bytes).toBeLessThanOrEqual(2000);
    expect(join(first).read).toBe(64);
  });

  it('of a list that is requested again are not looked up', () => {
    const runs = new ListSegments(1e6);
    const list = entries(300);
    const chunks = runs.join(resource, list, items);
    expect(runs.join(resource, list, items)).toBe(chunks);
    expect(runs.join(other, list, items)).not.toBe(chunks);
    expect(runs.join(resource, [...list], items)).not.toBe(chunks);
  });

  it('of a whole list are released when one of them is', () => {
    const runs = new ListSegments(4000);
    const list = entries(64);
    const chunks = runs.join(resource, list, items);
    expect(runs.join(resource, list, items)).toBe(chunks);
    for (let from = 1000; from < 3000; from += 64) runs.join(resource, entries(64, from), items);
    expect(runs.join(resource, list, items)).not.toBe(chunks);
  });

  it('are not held by a list that is larger than the room for them', () => {
    const { runs, join } = joiner(2000);
    const list = entries(1000);
    expect(join(list).read).toBe(1000);
    expect(join(list)).toEqual({ text: textOf(list), read: 1000 });
    expect(runs.bytes).toBeLessThanOrEqual(2000);
  });

  it('are cut when they grow large', () => {
    const large = 'x'.repeat(200_000);
    const list = [entry(1, large), entry(2, large), entry(3, large)];
    const runs = new ListSegments(1e7);
    const chunks = runs.join(resource, list, items);
    expect(chunks.map(({ length }) => length)).toEqual([400_001, 200_001]);
  });
});
