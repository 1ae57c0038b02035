/** Compare-and-set, revisions and what is stored. */
import { describe, expect, it } from 'vitest';
import { commit, committed, contentOf, encoded, listed, stamped, textOf, watching } from '../store-objects.js';
import type { HarnessFactory } from '../store-suite.js';
import { storeFixture } from './fixture.js';

export function commitTests(create: HarnessFactory): void {
  describe('commit', () => {
    const fixture = storeFixture(create);

    it('creates a key that does not exist', async () => {
      const { store } = fixture;
      const before = store.revision;
      const entry = await commit(store, 'g/things/a', 0, 'one');
      expect(entry.revision).toBeGreaterThan(before);
      expect(textOf(entry)).toBe(stamped('one', entry.revision));
      expect(entry.attributes).toEqual({ labels: { value: 'one' }, fields: { 'spec.value': 'one' } });
      expect(store.get('g/things/a')).toEqual(entry);
      expect(store.revision).toBe(entry.revision);
    });

    it('answers a creation of an existing key with the present object', async () => {
      const { store } = fixture;
      const entry = await commit(store, 'g/things/a', 0, 'one');
      const answer = await store.commit({ key: 'g/things/a', expected: 0, next: encoded('two') });
      expect(answer).toEqual({ outcome: 'conflict', current: entry });
      expect(store.revision).toBe(entry.revision);
    });

    it('updates only from the present revision of the key', async () => {
      const { store } = fixture;
      const first = await commit(store, 'g/things/a', 0, 'one');
      const second = await commit(store, 'g/things/a', first.revision, 'two');
      expect(second.revision).toBeGreaterThan(first.revision);
      const late = await store.commit({ key: 'g/things/a', expected: first.revision, next: encoded('three') });
      expect(late).toEqual({ outcome: 'conflict', current: second });
      const missing = await store.commit({ key: 'g/things/b', expected: first.revision, next: encoded('three') });
      expect(missing).toEqual({ outcome: 'conflict', current: undefined });
      expect(contentOf(store.get('g/things/a'))).toBe('two');
    });

    it('deletes only from the present revision of the key', async () => {
      const { store } = fixture;
      const entry = await commit(store, 'g/things/a', 0, 'one');
      const wrong = await store.commit({ key: 'g/things/a', expected: entry.revision + 1 });
      expect(wrong).toEqual({ outcome: 'conflict', current: entry });
      expect((await commit(store, 'g/things/a', entry.revision)).revision).toBeGreaterThan(entry.revision);
      expect(store.get('g/things/a')).toBeUndefined();
      const again = await store.commit({ key: 'g/things/a', expected: entry.revision });
      expect(again).toEqual({ outcome: 'conflict', current: undefined });
      expect(await store.commit({ key: 'g/things/a', expected: 0 })).toEqual({
        outcome: 'conflict',
        current: undefined,
      });
    });

    it('makes a guarded change only if the guards have not changed', async () => {
      const { store } = fixture;
      const guard = await commit(store, 'g/guards/a', 0, 'mine');
      const guards = [{ key: 'g/guards/a', revision: guard.revision }];
      const made = await store.commit({ key: 'g/things/a', expected: 0, next: encoded('one'), guards });
      expect(committed(made).revision).toBeGreaterThan(guard.revision);
      await commit(store, 'g/guards/a', guard.revision, 'theirs');
      const changed = await store.commit({ key: 'g/things/b', expected: 0, next: encoded('two'), guards });
      expect(changed).toMatchObject({ outcome: 'failed', unguarded: true, failure: { reason: 'ServiceUnavailable' } });
      const missing = [{ key: 'g/guards/none', revision: guard.revision }];
      const absent = await store.commit({ key: 'g/things/b', expected: 0, next: encoded('two'), guards: missing });
      expect(absent).toMatchObject({ outcome: 'failed', unguarded: true, failure: { reason: 'ServiceUnavailable' } });
      expect(store.get('g/things/b')).toBeUndefined();
    });

    it('stamps the stored bytes of a deleted object with the revision of the deletion', async () => {
      const { store } = fixture;
      const entry = await commit(store, 'g/things/a', 0, 'q"\\{ü𝄞');
      const watch = watching(store, 'g/things/', store.revision);
      const gone = await commit(store, 'g/things/a', entry.revision);
      expect(textOf(gone)).toBe(stamped('q"\\{ü𝄞', gone.revision));
      expect(watch.events[0]?.entry).toEqual(gone);
      expect(watch.events[0]?.previous).toEqual(entry);
    });

    it('shows the given last state of a deleted object', async () => {
      const { store } = fixture;
      const entry = await commit(store, 'g/things/a', 0, 'one');
      const answer = await store.commit({ key: 'g/things/a', expected: entry.revision, last: encoded('last') });
      const gone = committed(answer);
      expect(textOf(gone)).toBe(stamped('last', gone.revision));
      expect(gone.attributes.labels).toEqual({ value: 'last' });
    });

    it('stamps text behind characters of several bytes in the right place', async () => {
      const { store } = fixture;
      const head = '{"kind":"Thïng—𝄞","metadata":{"resourceVersion":"';
      const next = { text: `${head}"}}`, revisionAt: head.length, attributes: { labels: {}, fields: {} } };
      const entry = committed(await store.commit({ key: 'g/things/a', expected: 0, next }));
      expect(textOf(entry)).toBe(`${head}${entry.revision}"}}`);
    });

    it('lets one of many concurrent creations win', async () => {
      const { store } = fixture;
      const values = Array.from({ length: 50 }, (_, index) => `v${index}`);
      const answers = await Promise.all(
        values.map((value) => store.commit({ key: 'g/things/a', expected: 0, next: encoded(value) })),
      );
      expect(answers.filter((answer) => answer.outcome === 'committed')).toHaveLength(1);
      const current = store.get('g/things/a');
      for (const answer of answers) {
        if (answer.outcome !== 'committed') expect(answer).toEqual({ outcome: 'conflict', current });
      }
    });

    it('lets one of many concurrent updates from the same revision win', async () => {
      const { store } = fixture;
      const first = await commit(store, 'g/things/a', 0, 'one');
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          store.commit({ key: 'g/things/a', expected: first.revision, next: encoded(`v${index}`) }),
        ),
      );
      expect(answers.filter((answer) => answer.outcome === 'committed')).toHaveLength(1);
      expect(answers.filter((answer) => answer.outcome === 'conflict')).toHaveLength(49);
    });

    it('loses no increments when writers retry', async () => {
      const { store } = fixture;
      await commit(store, 'g/things/counter', 0, '0');
      async function increment(): Promise<void> {
        for (;;) {
          const current = store.get('g/things/counter');
          const value = String(Number(contentOf(current)) + 1);
          const expected = current?.revision ?? 0;
          const answer = await store.commit({ key: 'g/things/counter', expected, next: encoded(value) });
          if (answer.outcome === 'committed') return;
        }
      }
      await Promise.all(Array.from({ length: 20 }, increment));
      expect(contentOf(store.get('g/things/counter'))).toBe('20');
    });

    it('accepts a creation during the deletion of the same key', async () => {
      const { store } = fixture;
      const entry = await commit(store, 'g/things/a', 0, 'one');
      const watch = watching(store, 'g/things/a', store.revision);
      const [gone, back] = await Promise.all([
        store.commit({ key: 'g/things/a', expected: entry.revision }),
        store.commit({ key: 'g/things/a', expected: 0, next: encoded('two') }),
      ]);
      expect(gone.outcome).toBe('committed');
      expect(back.outcome).toBe('committed');
      expect(watch.summary).toEqual(['DELETED g/things/a one', 'ADDED g/things/a two']);
    });

    it('gives concurrent changes revisions in the order of the calls', async () => {
      const { store } = fixture;
      const entries = await Promise.all(
        Array.from({ length: 300 }, (_, index) => commit(store, `g/things/${index}`, 0, 'x')),
      );
      const revisions = entries.map((entry) => entry.revision);
      expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
      expect(new Set(revisions).size).toBe(300);
    });

    it('shows a change only after the answer, but sends it to watchers before', async () => {
      const { store } = fixture;
      const watch = watching(store, '', store.revision);
      const answer = store.commit({ key: 'g/things/a', expected: 0, next: encoded('one') });
      expect(store.get('g/things/a')).toBeUndefined();
      expect(watch.events).toEqual([]);
      await answer;
      expect(watch.summary).toEqual(['ADDED g/things/a one']);
    });

    it('refuses keys that no backend could hold', async () => {
      const { store } = fixture;
      for (const key of ['', 'g/things/', `g/things/${'a'.repeat(1500)}`, 'g/things/\ud800']) {
        const answer = await store.commit({ key, expected: 0, next: encoded('one') });
        expect(answer).toMatchObject({ outcome: 'failed', failure: { reason: 'BadRequest' } });
      }
      expect(listed(store, '').entries).toEqual([]);
    });

    it('keeps large objects', async () => {
      const { store } = fixture;
      const large = 'ü'.repeat(380_000);
      const entry = await commit(store, 'g/things/large', 0, large);
      expect(contentOf(store.get('g/things/large'))).toBe(large);
      expect(contentOf(await commit(store, 'g/things/large', entry.revision, 'small'))).toBe('small');
    });
  });
}
