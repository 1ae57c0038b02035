/** Damage to any item in a store over an unstorage driver is found at open and named. */
import fc from 'fast-check';
import type { Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Damage } from '../../../../../runtime/contract/index.js';
import { DamagedStoreError, type EmbeddedStore, openStore } from '../../../../../runtime/storage/index.js';
import { seal, unseal } from '../../../../../runtime/storage/unstorage/envelope.js';
import { unstorageBackend } from '../../../../../runtime/storage/unstorage/index.js';
import { commit, contentOf, keysOf, listed, readAttributes } from '../../../../support/store-objects.js';

const CURE = 'write the object again, restore a snapshot, or discard the damaged data';

let driver: Driver;
let items: Map<string, Buffer>;
beforeEach(() => {
  const made = memory();
  driver = made;
  items = made.getInstance?.() ?? new Map();
});

const opened = (onDamage: 'refuse' | 'serve-rest' | 'discard' = 'refuse'): Promise<EmbeddedStore> =>
  openStore({ backend: unstorageBackend(driver, { timing: { settleMs: 1 } }), readAttributes, onDamage });

/** Returns the damage for which the store does not open. */
async function damage(): Promise<readonly Damage[]> {
  const refusal: unknown = await opened().then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  if (refusal === undefined) return [];
  if (!(refusal instanceof DamagedStoreError)) throw refusal;
  return refusal.damage;
}

/** Returns the key of a segment's item. */
function segmentKey(id: number): string {
  const found = [...items.keys()].filter((key) => key.startsWith(`kindforge:segments:${id}-`));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

const segment = (id: number): Buffer => items.get(segmentKey(id)) ?? Buffer.alloc(0);

/** Writes four objects, each into a segment of its own. Their revisions and segments are 1 to 4. */
async function fill(): Promise<void> {
  const store = await opened();
  for (const name of ['a', 'b', 'c', 'd']) await commit(store, `g/things/${name}`, 0, `value-of-${name}`);
  await store.close();
}

const lostWith = (key: string, revision: number, segmentId: number): Damage => ({
  key: `g/things/${key}`,
  revision,
  problem: `its record of revision ${revision} is missing with segment ${segmentId} of the journal`,
  cure: CURE,
});
const torn = (key: string, revision: number): Damage => ({
  key: `g/things/${key}`,
  revision,
  problem: `its record of revision ${revision} fails its checksum`,
  cure: CURE,
});

describe('an item that is', () => {
  beforeEach(fill);

  it('whole is not reported', async () => {
    expect(await damage()).toEqual([]);
  });

  it('torn anywhere is named', async () => {
    const whole = segment(2);
    for (let length = 0; length < whole.length; length += 7) {
      items.set(segmentKey(2), whole.subarray(0, length));
      expect(await damage()).toEqual([torn('b', 2)]);
    }
  });

  it('torn, and the newest, is named as far as it can be read', async () => {
    const whole = segment(4);
    items.set(segmentKey(4), whole.subarray(0, whole.length - 5));
    expect(await damage()).toEqual([torn('d', 4)]);
    items.set(segmentKey(4), whole.subarray(0, 40));
    expect(await damage()).toEqual([{ key: '', problem: 'segment 4 of the journal is unreadable', cure: CURE }]);
  });

  it('changed in any byte is named, if any object is lost by that', async () => {
    const whole = segment(2);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Buffer.from(whole);
        changed.writeUInt8(changed.readUInt8(at) ^ mask, at);
        items.set(segmentKey(2), changed);
        const store = await opened('serve-rest');
        const isWhole = contentOf(store.get('g/things/b')) === 'value-of-b';
        expect(store.count('')).toBe(isWhole ? 4 : 3);
        expect(store.damage).toEqual(isWhole ? [] : [torn('b', 2)]);
        await store.close();
      }),
      { numRuns: 100 },
    );
  });

  it('missing is named', async () => {
    items.delete(segmentKey(2));
    items.delete(segmentKey(3));
    expect(await damage()).toEqual([
      lostWith('c', 3, 3),
      { key: '', problem: 'segment 2 of the journal is missing', cure: CURE },
    ]);
  });

  it('missing, and the newest, is reported', async () => {
    items.delete(segmentKey(4));
    expect(await damage()).toEqual([{ key: '', problem: 'segment 4 of the journal is missing', cure: CURE }]);
    const store = await opened('serve-rest');
    // The store cannot know its revisions.
    expect(store.revision).toBeGreaterThan(1000);
    await store.close();
  });

  it('exchanged for another is named, and so is the other', async () => {
    const [second, third] = [segment(2), segment(3)];
    items.set(segmentKey(2), third);
    items.set(segmentKey(3), second);
    expect(await damage()).toEqual([
      lostWith('c', 3, 3),
      { key: '', problem: 'segment 2 of the journal is missing', cure: CURE },
    ]);
    items.set(segmentKey(3), third);
    items.set(segmentKey(2), segment(1));
    expect(await damage()).toEqual([lostWith('b', 2, 2)]);
  });

  it('not from Kindforge is named', async () => {
    const inner = Buffer.from(unseal(segment(2))?.segment ?? []);
    for (const foreign of [Buffer.from('{"some":"thing"}'), Buffer.alloc(0), Buffer.alloc(5000), inner]) {
      items.set(segmentKey(2), foreign);
      expect(await damage()).toEqual([torn('b', 2)]);
    }
  });

  it('present twice is identified by the next one, and the other is removed', async () => {
    const late = 'segments:2-7-0123456789abcdef-9';
    const { segment: inner = Buffer.alloc(0) } = unseal(segment(1)) ?? {};
    items.set(`kindforge:${late}`, seal({ name: late, after: '', before: [] }, inner));
    const store = await opened();
    expect(contentOf(store.get('g/things/b'))).toBe('value-of-b');
    await commit(store, 'g/things/e', 0, 'new');
    await store.close();
    expect(items.has(`kindforge:${late}`)).toBe(false);
    expect(await damage()).toEqual([]);
  });

  it('missing is named, even if a later one is in its place', async () => {
    const late = 'segments:2-7-0123456789abcdef-9';
    const { segment: inner = Buffer.alloc(0) } = unseal(segment(2)) ?? {};
    items.delete(segmentKey(2));
    items.set(`kindforge:${late}`, seal({ name: late, after: '', before: [] }, inner));
    expect(await damage()).toEqual([lostWith('b', 2, 2)]);
  });

  it('under a meaningless key does not matter', async () => {
    for (const key of ['segments:9', 'segments:9-9-x-9', 'segments:09-1-0123456789abcdef-1', 'other', 'owner:x']) {
      items.set(`kindforge:${key}`, Buffer.from('x'));
    }
    items.set('other:segments:1-1-0123456789abcdef-1', Buffer.from('x'));
    expect(await damage()).toEqual([]);
  });

  it('damaged is repaired by writing the object again, or gone for good when discarded', async () => {
    items.delete(segmentKey(2));
    items.set(segmentKey(3), segment(3).subarray(0, -5));
    let store = await opened('serve-rest');
    expect(keysOf(listed(store, ''))).toEqual(['g/things/a', 'g/things/d']);
    await commit(store, 'g/things/b', 0, 'again');
    await store.close();
    expect(await damage()).toEqual([torn('c', 3)]);
    store = await opened('discard');
    await commit(store, 'g/things/e', 0, 'new');
    await store.close();
    expect(await damage()).toEqual([]);
    store = await opened();
    expect(keysOf(listed(store, ''))).toEqual(['g/things/a', 'g/things/b', 'g/things/d', 'g/things/e']);
    expect(contentOf(store.get('g/things/b'))).toBe('again');
    await store.close();
  });
});

describe('a damaged object that is evicted', () => {
  beforeEach(fill);
  const unreadable = (store: EmbeddedStore) => store.unreadable?.('g/').map(({ key }) => key);

  it('is gone for good, and all others stay', async () => {
    items.delete(segmentKey(2));
    items.set(segmentKey(3), segment(3).subarray(0, -5));
    let store = await opened('serve-rest');
    expect(unreadable(store)?.sort()).toEqual(['g/things/b', 'g/things/c']);
    await commit(store, 'g/things/e', 0, 'new');
    expect([await store.evict?.('g/things/b'), await store.evict?.('g/things/a')]).toEqual([undefined, undefined]);
    expect(unreadable(store)).toEqual(['g/things/c']);
    await store.close();
    expect(await damage()).toEqual([torn('c', 3)]);
    store = await opened('serve-rest');
    expect(await store.evict?.('g/things/c')).toBeUndefined();
    await commit(store, 'g/things/c', 0, 'again');
    await store.close();
    store = await opened();
    expect(keysOf(listed(store, ''))).toEqual(['g/things/a', 'g/things/c', 'g/things/d', 'g/things/e']);
    await store.close();
  });

  it('is not evicted while it is being written again, or after that', async () => {
    items.delete(segmentKey(2));
    const store = await opened('serve-rest');
    const writing = commit(store, 'g/things/b', 0, 'again');
    expect(await store.evict?.('g/things/b')).toMatchObject({ reason: 'ServiceUnavailable' });
    await writing;
    expect([unreadable(store), await store.evict?.('g/things/b')]).toEqual([[], undefined]);
    expect(contentOf(store.get('g/things/b'))).toBe('again');
    await store.close();
    expect(await damage()).toEqual([]);
  });

  it('does not matter once a later version of it can be read', async () => {
    const store = await opened();
    await commit(store, 'g/things/b', 2, 'later');
    await store.close();
    items.set(segmentKey(2), segment(2).subarray(0, -5));
    expect(await damage()).toEqual([torn('b', 2)]);
    const rest = await opened('serve-rest');
    expect([unreadable(rest), await rest.evict?.('g/things/b')]).toEqual([[], undefined]);
    expect(contentOf(rest.get('g/things/b'))).toBe('later');
    await rest.close();
  });
});

describe('the record of the owner', () => {
  beforeEach(fill);

  it('is not needed to find the objects', async () => {
    items.delete('kindforge:owner');
    const store = await opened();
    expect(store.count('')).toBe(4);
    await commit(store, 'g/things/e', 0, 'new');
    await store.close();
    expect(await damage()).toEqual([]);
  });

  it("is not needed, and neither are the writers' records", async () => {
    const second = await opened();
    await commit(second, 'g/things/e', 0, 'new');
    await second.close();
    for (const key of items.keys()) if (!key.includes('segments')) items.delete(key);
    const third = await opened();
    expect(third.count('')).toBe(5);
    await third.close();
  });

  it('is not missed, and neither is the last writer’s, if an earlier one left another', async () => {
    const [earlier = ''] = [...items.keys()].filter((key) => key.includes('writers:'));
    const record = items.get(earlier) ?? Buffer.alloc(0);
    const second = await opened();
    await commit(second, 'g/things/e', 0, 'new');
    await second.close();
    for (const key of items.keys()) if (!key.includes('segments')) items.delete(key);
    items.set(earlier, record);
    const third = await opened();
    expect(third.count('')).toBe(5);
    await third.close();
  });

  it('is named if something else is in its place', async () => {
    for (const foreign of ['', 'x', '{}', '{"format":"kindforge journal 9","epoch":1,"token":"a"}']) {
      items.set('kindforge:owner', Buffer.from(foreign));
      await expect(opened()).rejects.toThrow('the item kindforge:owner is not a record of an owner');
    }
  });
});
