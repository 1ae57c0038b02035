/** Tests of replacing all objects of a store. */
import { describe, expect, it } from 'vitest';
import type { RestoredObject, Store } from '../../../runtime/contract/index.js';
import { commit, contentOf, encoded, keysOf, listed, watching } from '../store-objects.js';
import type { HarnessFactory, StoreTraits } from '../store-suite.js';
import { storeFixture } from './fixture.js';

const BEHIND = 5_000_000_000;

const objects = (...keys: string[]): RestoredObject[] => keys.map((key) => ({ key, object: encoded(`of ${key}`) }));

/** Yields objects, and then fails. */
function* broken(...keys: string[]): Generator<RestoredObject> {
  yield* objects(...keys);
  throw new Error('the source has failed');
}

async function fill(store: Store): Promise<void> {
  for (const name of ['a', 'b', 'c']) await commit(store, `g/things/${name}`, 0, name);
  await commit(store, 'g/things/c', store.get('g/things/c')?.revision ?? 0, 'changed');
}

export function restoreTests(create: HarnessFactory, traits: StoreTraits): void {
  describe('restore', () => {
    const fixture = storeFixture(create);

    it('leaves the restored objects and no others', async () => {
      const { store } = fixture;
      await fill(store);
      const revision = await fixture.restore(objects('g/things/b', 'g/things/ü𝄞'), BEHIND);
      expect(revision).toBe(store.revision);
      const { entries } = listed(store, '');
      expect(entries.map(({ key }) => key)).toEqual(['g/things/b', 'g/things/ü𝄞']);
      expect(entries.map(contentOf)).toEqual(['of g/things/b', 'of g/things/ü𝄞']);
      expect(entries.map(({ attributes }) => attributes.labels.value)).toEqual(entries.map(contentOf));
    });

    it('restores more than fits into one batch', async () => {
      const { store } = fixture;
      const keys = Array.from({ length: 2_500 }, (_, index) => `g/things/${String(index).padStart(5, '0')}`);
      await fixture.restore(objects(...keys), 0);
      await fixture.restore(objects(...keys.slice(7)), 0);
      expect(keysOf(listed(store, ''))).toEqual(keys.slice(7));
    }, 300_000);

    it('can leave an empty store', async () => {
      const { store } = fixture;
      await fill(store);
      await fixture.restore([], 0);
      expect(store.count('')).toBe(0);
    });

    it('uses revisions after its own and the restored ones', async () => {
      const { store } = fixture;
      await fill(store);
      const before = store.revision;
      await fixture.restore(objects('g/things/a'), 1);
      expect(store.get('g/things/a')?.revision ?? 0).toBeGreaterThan(before);
      await fixture.restore(objects('g/things/a', 'g/things/b'), BEHIND);
      const revisions = listed(store, '').entries.map(({ revision }) => revision);
      expect(Math.min(...revisions)).toBeGreaterThan(BEHIND);
      const next = await commit(store, 'g/things/a', store.get('g/things/a')?.revision ?? 0, 'next');
      expect(next.revision).toBeGreaterThan(Math.max(...revisions));
    });

    it('refuses changes from revisions before the restore', async () => {
      const { store } = fixture;
      await fill(store);
      const old = store.get('g/things/a')?.revision ?? 0;
      await fixture.restore(objects('g/things/a'), BEHIND);
      const answer = await store.commit({ key: 'g/things/a', expected: old, next: encoded('lost') });
      expect(answer).toMatchObject({ outcome: 'conflict', current: { key: 'g/things/a' } });
    });

    it('ends watches, and history before it', async () => {
      const { store } = fixture;
      await fill(store);
      const { revision } = store;
      const watch = watching(store, '', revision);
      await fixture.restore(objects('g/things/a'), BEHIND);
      expect(watch.events).toEqual([]);
      expect(watch.end).toBe('compacted');
      const old = [revision, BEHIND, store.get('g/things/a')?.revision ?? 0].filter((one) => one < store.revision);
      for (const at of old.slice(0, 2)) {
        expect(store.list('', { at })).toBe('compacted');
        expect(store.watch('', at, { event() {}, ended() {} })).toBe('compacted');
      }
      const after = watching(store, '', store.revision);
      const made = await commit(store, 'g/things/new', 0, 'new');
      expect(after.summary).toEqual(['ADDED g/things/new new']);
      expect(listed(store, '', { at: made.revision - 1 }).entries).toHaveLength(1);
    });

    it('refuses objects out of order, and twice the same', async () => {
      await expect(fixture.restore(objects('g/things/b', 'g/things/a'), 0)).rejects.toThrow('g/things/a: ');
      await fixture.reopen({ onDamage: 'replace' });
      await expect(fixture.restore(objects('g/things/b', 'g/things/b'), 0)).rejects.toThrow('key order');
    });

    it('takes no changes and confirms no reads after it has failed half-way', async () => {
      const { store } = fixture;
      await fill(store);
      await expect(fixture.restore(broken('g/things/a'), 0)).rejects.toThrow('the source has failed');
      const answer = await store.commit({ key: 'g/things/z', expected: 0, next: encoded('z') });
      expect(answer).toMatchObject({ outcome: 'failed', failure: { reason: 'ServiceUnavailable' } });
      expect(await store.confirm()).toMatchObject({ reason: 'ServiceUnavailable' });
      expect(store.health()).toContain('restored');
    });
  });

  describe.runIf(traits.persistent)('restore, and opening again', () => {
    const fixture = storeFixture(create);

    it('finds the restored objects, and no earlier history', async () => {
      await fill(fixture.store);
      const old = fixture.store.revision;
      await fixture.restore(objects('g/things/a', 'g/things/d'), BEHIND);
      const before = listed(fixture.store, '');
      const store = await fixture.reopen();
      expect(listed(store, '')).toEqual(before);
      expect(store.list('', { at: old })).toBe('compacted');
      expect(store.oldestRevision).toBe(before.revision);
      expect((await commit(store, 'g/things/z', 0, 'z')).revision).toBeGreaterThan(before.revision);
      expect(keysOf(listed(await fixture.reopen(), ''))).toEqual(['g/things/a', 'g/things/d', 'g/things/z']);
    });

    it('adopts a given secret, and keeps its own secret without one', async () => {
      const given = Buffer.alloc(32, 7);
      const secretOf = ({ secret }: Store): Buffer | undefined => secret && Buffer.from(secret);
      const own = secretOf(fixture.store);
      await fixture.restore(objects('g/things/a'), 0);
      expect(secretOf(fixture.store)).toEqual(own);
      await fixture.restore(objects('g/things/b'), 0, given);
      expect(secretOf(fixture.store)).toEqual(own && given);
      expect(secretOf(await fixture.reopen())).toEqual(own && given);
    });

    it('refuses the remains of an interrupted restore, until a restore succeeds', async () => {
      await fill(fixture.store);
      const old = fixture.store.revision;
      await expect(fixture.restore(broken('g/things/a'), BEHIND)).rejects.toThrow('the source has failed');
      await expect(fixture.reopen()).rejects.toThrow('a restore into this store was interrupted');
      const unfinished = await fixture.reopen({ onDamage: 'replace' });
      expect(await unfinished.commit({ key: 'g/things/z', expected: 0, next: encoded('z') })).toMatchObject({
        outcome: 'failed',
      });
      await fixture.restore(objects('g/things/d'), 0);
      const store = await fixture.reopen();
      expect(keysOf(listed(store, ''))).toEqual(['g/things/d']);
      expect(store.get('g/things/d')?.revision).toBeGreaterThan(Math.max(old, BEHIND));
    });
  });
}
