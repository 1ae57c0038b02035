/** Tests of waiting for revisions, of closing, and of what survives. */
import { describe, expect, it, vi } from 'vitest';
import { commit, contentOf, encoded, listed, watching } from '../store-objects.js';
import type { HarnessFactory, StoreTraits } from '../store-suite.js';
import { storeFixture } from './fixture.js';

export function lifecycleTests(create: HarnessFactory, traits: StoreTraits): void {
  describe('reached', () => {
    const fixture = storeFixture(create);

    it('resolves at once for revisions that the store has', async () => {
      const { store } = fixture;
      const { revision } = await commit(store, 'g/things/a', 0, 'one');
      expect(await store.reached(revision, 0)).toBe(true);
    });

    it('resolves when the store reaches the revision', async () => {
      const { store } = fixture;
      const waiting = store.reached(store.revision + 1, 2 ** 40);
      const patient = store.reached(store.revision + 1000, 10_000);
      await commit(store, 'g/things/a', 0, 'one');
      expect(await waiting).toBe(true);
      await store.close();
      expect(await patient).toBe(false);
      await fixture.reopen();
    });

    it('gives up after the given time', async () => {
      const { store } = fixture;
      expect(await store.reached(store.revision + 1000, 20)).toBe(false);
    });

    it('confirms all acknowledged revisions', async () => {
      const { store } = fixture;
      const { revision } = await commit(store, 'g/things/a', 0, 'one');
      await store.confirm();
      expect(store.revision).toBeGreaterThanOrEqual(revision);
    });
  });

  describe('close', () => {
    const fixture = storeFixture(create);

    it('finishes changes in flight, then ends the watches', async () => {
      const { store } = fixture;
      const watch = watching(store, '', store.revision);
      const writing = Array.from({ length: 20 }, (_, index) => commit(store, `g/things/${index}`, 0, 'x'));
      const closing = store.close();
      await Promise.all(writing);
      await closing;
      expect(watch.events).toHaveLength(20);
      expect(watch.end).toBe('closed');
      await fixture.reopen();
    });

    it('may be called again', async () => {
      const { store } = fixture;
      await Promise.all([store.close(), store.close()]);
      await store.close();
      await fixture.reopen();
    });

    it('refuses later changes, watches and waits', async () => {
      const { store } = fixture;
      await store.close();
      expect(watching(store, '', store.revision).end).toBe('closed');
      expect(await store.reached(store.revision + 1, 60_000)).toBe(false);
      const answer = await store.commit({ key: 'g/things/a', expected: 0, next: encoded('one') });
      expect(answer).toMatchObject({ outcome: 'failed', failure: { reason: 'ServiceUnavailable' } });
      await fixture.reopen();
    });
  });

  describe.runIf(traits.persistent)('opening again', () => {
    const fixture = storeFixture(create);

    it('finds every object as it was', async () => {
      const { store } = fixture;
      for (let index = 0; index < 50; index++) await commit(store, `g/things/${index}`, 0, `v${index}-ü𝄞`);
      for (let index = 0; index < 50; index += 3) {
        const current = store.get(`g/things/${index}`);
        await commit(store, `g/things/${index}`, current?.revision ?? 0, index % 2 ? 'changed' : undefined);
      }
      const before = listed(store, '');
      const after = listed(await fixture.reopen(), '');
      expect(after).toEqual({ ...before, repeated: after.repeated });
    });

    it('never uses a revision again', async () => {
      const { store } = fixture;
      const first = await commit(store, 'g/things/a', 0, 'one');
      const gone = await commit(store, 'g/things/a', first.revision);
      const again = await fixture.reopen();
      expect(again.revision).toBe(gone.revision);
      expect((await commit(again, 'g/things/a', 0, 'two')).revision).toBeGreaterThan(gone.revision);
    });

    it('keeps its secret, if it has one', async () => {
      const secret = fixture.store.secret && Buffer.from(fixture.store.secret);
      const again = await fixture.reopen();
      expect(again.secret && Buffer.from(again.secret)).toEqual(secret);
    });

    it('opens empty data any number of times', async () => {
      await fixture.reopen();
      const store = await fixture.reopen();
      expect(listed(store, '').entries).toEqual([]);
    });
  });

  describe.runIf(traits.durableHistory)('history after opening again', () => {
    const fixture = storeFixture(create);

    it('serves watches and lists of earlier revisions', async () => {
      const { store } = fixture;
      const start = store.revision;
      const first = await commit(store, 'g/things/a', 0, 'one');
      const second = await commit(store, 'g/things/a', first.revision, 'two');
      await commit(store, 'g/things/b', 0, 'other');
      const gone = await store.commit({ key: 'g/things/a', expected: second.revision, last: encoded('last') });
      expect(gone.outcome).toBe('committed');
      const before = watching(store, '', start);
      const again = await fixture.reopen();
      expect(watching(again, '', start).events).toEqual(before.events);
      expect(listed(again, '', { at: second.revision }).entries.map(contentOf)).toEqual(['two']);
      expect(again.oldestRevision).toBeLessThanOrEqual(start);
    });

    it('does not come back when all of it is older than the window', async () => {
      const { store } = fixture;
      const first = await commit(store, 'g/things/a', 0, 'one');
      await commit(store, 'g/things/a', first.revision, 'two');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
      try {
        const again = await fixture.reopen();
        expect(again.oldestRevision).toBe(again.revision);
        expect(contentOf(again.get('g/things/a'))).toBe('two');
      } finally {
        vi.useRealTimers();
      }
    });

    it('disappears from storage when it disappears from memory', async () => {
      let time = 0;
      await fixture.reopen({ historyWindowMs: 1000, now: () => time });
      const store = await fixture.reopen({ historyWindowMs: 1000, now: () => time });
      const first = await commit(store, 'g/things/a', 0, 'one');
      await commit(store, 'g/things/a', first.revision, 'two');
      time += 5000;
      const last = await commit(store, 'g/things/b', 0, 'three');
      const again = await fixture.reopen();
      expect(again.list('', { at: first.revision })).toBe('compacted');
      expect(watching(again, '', again.oldestRevision).events.at(-1)?.revision).toBe(last.revision);
    });
  });
}
