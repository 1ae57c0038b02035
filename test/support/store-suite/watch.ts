/** Tests of watches: every change once, in order, from any revision in the history. */
import { describe, expect, it } from 'vitest';
import type { StoreEvent } from '../../../runtime/contract/index.js';
import { commit, contentOf, type Recorder, watching } from '../store-objects.js';
import type { HarnessFactory } from '../store-suite.js';
import { storeFixture } from './fixture.js';

export function watchTests(create: HarnessFactory): void {
  describe('watch', () => {
    const fixture = storeFixture(create);

    it('delivers the changes of its prefix only', async () => {
      const { store } = fixture;
      const all = watching(store, '', store.revision);
      const resource = watching(store, 'g/things/', store.revision);
      const namespace = watching(store, 'g/things/ns/', store.revision);
      const single = watching(store, 'g/things/ns/a', store.revision);
      for (const key of ['g/things/ns/a', 'g/things/ns/ab', 'g/things/ns2/a', 'g/thing/ns/a', '/things/ns/a']) {
        await commit(store, key, 0, 'x');
      }
      expect(all.events).toHaveLength(5);
      expect(resource.events.map(({ entry }) => entry.key)).toEqual([
        'g/things/ns/a',
        'g/things/ns/ab',
        'g/things/ns2/a',
      ]);
      expect(namespace.events.map(({ entry }) => entry.key)).toEqual(['g/things/ns/a', 'g/things/ns/ab']);
      expect(single.events.map(({ entry }) => entry.key)).toEqual(['g/things/ns/a']);
    });

    it('reports the change and the object before it', async () => {
      const { store } = fixture;
      const watch = watching(store, 'g/things/', store.revision);
      const first = await commit(store, 'g/things/a', 0, 'one');
      const second = await commit(store, 'g/things/a', first.revision, 'two');
      const gone = await commit(store, 'g/things/a', second.revision);
      expect(watch.summary).toEqual(['ADDED g/things/a one', 'MODIFIED g/things/a two', 'DELETED g/things/a two']);
      expect(watch.events.map(({ revision }) => revision)).toEqual([first.revision, second.revision, gone.revision]);
      expect(watch.events.map(({ previous }) => contentOf(previous))).toEqual([undefined, 'one', 'two']);
    });

    it('replays from any revision and continues without a gap', async () => {
      const { store } = fixture;
      const start = store.revision;
      const revisions = [start];
      for (let round = 0; round < 20; round++) {
        revisions.push((await commit(store, `g/things/${round % 3}/${round}`, 0, `v${round}`)).revision);
      }
      const late = revisions.map((from) => watching(store, 'g/things/', from));
      const narrow = watching(store, 'g/things/1/', start);
      for (const [index, watch] of late.entries()) expect(watch.events).toHaveLength(20 - index);
      await commit(store, 'g/things/1/last', 0, 'last');
      for (const [index, watch] of late.entries()) {
        expect(watch.events.map(({ revision }) => revision)).toEqual([...revisions.slice(index + 1), store.revision]);
      }
      expect(narrow.events.map(({ entry }) => contentOf(entry))).toEqual([
        'v1',
        'v4',
        'v7',
        'v10',
        'v13',
        'v16',
        'v19',
        'last',
      ]);
    });

    it('neither loses nor repeats changes when it begins during concurrent changes', async () => {
      const { store } = fixture;
      const start = store.revision;
      const watches: (Recorder & { stop(): void })[] = [];
      const writing = Array.from({ length: 200 }, async (_, index) => {
        if (index % 10 === 0) await new Promise((resolve) => setTimeout(resolve, index / 10));
        await commit(store, `g/things/${index}`, 0, 'x');
        if (index % 5 === 0) watches.push(watching(store, 'g/', start));
      });
      await Promise.all(writing);
      expect(watches).toHaveLength(40);
      for (const watch of watches) {
        const revisions = watch.events.map(({ revision }) => revision);
        expect(new Set(revisions).size).toBe(200);
        expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
      }
    });

    it('delivers nothing after a stop', async () => {
      const { store } = fixture;
      const watch = watching(store, '', store.revision);
      await commit(store, 'g/things/a', 0, 'one');
      watch.stop();
      watch.stop();
      await commit(store, 'g/things/b', 0, 'two');
      expect(watch.events).toHaveLength(1);
      expect(watch.end).toBeUndefined();
    });

    it('lets its own sink stop it', async () => {
      const { store } = fixture;
      const seen: StoreEvent[] = [];
      const subscription = store.watch('', store.revision, {
        event(event) {
          seen.push(event);
          if (typeof subscription === 'object') subscription.stop();
        },
        ended() {},
      });
      await Promise.all([commit(store, 'g/things/a', 0, 'one'), commit(store, 'g/things/b', 0, 'two')]);
      expect(seen).toHaveLength(1);
    });

    it('lets a sink start a watch, which sees each change once', async () => {
      const { store } = fixture;
      const start = store.revision;
      const inner: Recorder[] = [];
      const outer = store.watch('g/', start, {
        event() {
          inner.push(watching(store, 'g/', start));
        },
        ended() {},
      });
      const entries = await Promise.all(['a', 'b', 'c'].map((name) => commit(store, `g/things/${name}`, 0, name)));
      if (typeof outer === 'object') outer.stop();
      expect(inner).toHaveLength(3);
      const inOrder = [...entries].sort((a, b) => a.revision - b.revision);
      for (const watch of inner) expect(watch.events.map(({ entry }) => entry)).toEqual(inOrder);
    });

    it('lets a sink write', async () => {
      const { store } = fixture;
      const answers: Promise<unknown>[] = [];
      store.watch('g/things/', store.revision, {
        event({ entry }) {
          answers.push(commit(store, entry.key.replace('things', 'copies'), 0, 'copy'));
        },
        ended() {},
      });
      await Promise.all(['a', 'b'].map((name) => commit(store, `g/things/${name}`, 0, name)));
      await Promise.all(answers);
      expect(store.count('g/copies/')).toBe(2);
    });

    it('ends a watch if its sink throws, but no other watch', async () => {
      const { store } = fixture;
      let end: string | undefined;
      let calls = 0;
      store.watch('', store.revision, {
        event() {
          calls++;
          throw new Error('a faulty sink');
        },
        ended(reason) {
          end = reason;
          throw new Error('a faulty sink');
        },
      });
      const other = watching(store, '', store.revision);
      await commit(store, 'g/things/a', 0, 'one');
      await commit(store, 'g/things/b', 0, 'two');
      expect(other.events).toHaveLength(2);
      expect({ calls, end }).toEqual({ calls: 1, end: 'closed' });
    });

    it('shares one event among all present watches, and one among all later watches', async () => {
      const { store } = fixture;
      const watches = Array.from({ length: 1000 }, () => watching(store, 'g/things/', store.revision));
      await commit(store, 'g/things/a', 0, 'one');
      const events = new Set(watches.map(({ events }) => events[0]));
      expect(events.size).toBe(1);
      const [early, late] = Array.from({ length: 2 }, () => watching(store, 'g/', store.revision - 1).events[0]);
      expect(early).toEqual(watches[0]?.events[0]);
      expect(late).toBe(early);
    });
  });
}
