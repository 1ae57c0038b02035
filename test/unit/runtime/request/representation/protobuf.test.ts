/** List items are encoded once while there is room, within a memory limit. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../../runtime/contract/index.js';
import { EncodedItems } from '../../../../../runtime/request/representation/protobuf.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { widgets } from '../../../../support/widgets.js';

const resource = serveResource(widgets);
const entryOf = (key: string): Entry => ({
  key,
  revision: 1,
  bytes: Buffer.from(key),
  attributes: { labels: {}, fields: {} },
});

function counted(maxBytes: number): { readonly items: EncodedItems; readonly encoded: string[] } {
  const encoded: string[] = [];
  const items = new EncodedItems(maxBytes, (_resource, { key, bytes }) => {
    encoded.push(key);
    return bytes;
  });
  return { items, encoded };
}

describe('items of lists', () => {
  it('are encoded once per entry and version of the resource', () => {
    const { items, encoded } = counted(100);
    const entry = entryOf('abc');
    expect(Buffer.from(items.of(resource, entry)).toString()).toBe('abc');
    expect(items.of(resource, entry)).toBe(items.of(resource, entry));
    items.of(resource, entryOf('abc'));
    items.of(serveResource({ ...widgets, version: 'v2' }), entry);
    expect(encoded).toEqual(['abc', 'abc', 'abc']);
    expect(items.bytes).toBe(6);
  });

  it('are evicted when the room is used up, first the ones that nobody requested', () => {
    const { items, encoded } = counted(8);
    const [first, second, third] = [entryOf('aaa'), entryOf('bbb'), entryOf('ccc')];
    items.of(resource, first);
    items.of(resource, second);
    items.of(resource, first);
    items.of(resource, third);
    expect(items.bytes).toBe(6);
    items.of(resource, first);
    items.of(resource, second);
    expect(encoded).toEqual(['aaa', 'bbb', 'ccc', 'bbb']);
  });

  it('are found again only in the version of the resource that they were encoded in', () => {
    const { items, encoded } = counted(8);
    const [first, second, third] = [entryOf('aaa'), entryOf('bbb'), entryOf('ccc')];
    expect(items.kept(resource, first)).toBeUndefined();
    expect(encoded).toEqual([]);
    const bytes = items.of(resource, first);
    items.of(resource, second);
    expect(items.kept(serveResource({ ...widgets, version: 'v2' }), first)).toBeUndefined();
    expect(items.kept(resource, first)).toBe(bytes);
    items.of(resource, third);
    expect([first, second, third].map((entry) => items.kept(resource, entry) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('larger than the whole room are not kept', () => {
    const { items } = counted(2);
    expect(items.of(resource, entryOf('abc'))).toHaveLength(3);
    expect(items.bytes).toBe(0);
  });
});
