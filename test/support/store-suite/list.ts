/** Lists: ranges, order, chunks and exact revisions. */
import { describe, expect, it } from 'vitest';
import type { Key, Store } from '../../../runtime/contract/index.js';
import { commit, contentOf, keysOf, listed } from '../store-objects.js';
import type { HarnessFactory } from '../store-suite.js';
import { storeFixture } from './fixture.js';

async function createAll(store: Store, keys: readonly Key[]): Promise<void> {
  await Promise.all(keys.map((key) => commit(store, key, 0, key)));
}

const names = (count: number): Key[] =>
  Array.from({ length: count }, (_, index) => `g/things/ns/${String(index).padStart(4, '0')}`);

export function listTests(create: HarnessFactory): void {
  describe('list', () => {
    const fixture = storeFixture(create);

    it('returns the keys with the prefix, in key order', async () => {
      const { store } = fixture;
      const keys = ['g/a/n/1', 'g/a/n/2', 'g/a/n2/1', 'g/ab/n/1', 'g/b/1', '/a/n/1'];
      await createAll(store, [...keys].reverse());
      expect(keysOf(listed(store, 'g/a/'))).toEqual(['g/a/n/1', 'g/a/n/2', 'g/a/n2/1']);
      expect(keysOf(listed(store, 'g/a/n/'))).toEqual(['g/a/n/1', 'g/a/n/2']);
      expect(keysOf(listed(store, ''))).toEqual(['/a/n/1', ...keys.slice(0, 5)]);
      expect(keysOf(listed(store, 'g/c/'))).toEqual([]);
      expect(store.count('g/a/')).toBe(3);
      expect(store.count('')).toBe(6);
      expect(store.count('g/c/')).toBe(0);
    });

    it('returns only one key for a whole key', async () => {
      const { store } = fixture;
      await createAll(store, ['g/things/a', 'g/things/ab', 'g/things/a/b']);
      expect(keysOf(listed(store, 'g/things/a'))).toEqual(['g/things/a']);
      expect(store.count('g/things/a')).toBe(1);
      expect(keysOf(listed(store, 'g/things/b'))).toEqual([]);
    });

    it('orders keys by their UTF-8 bytes', async () => {
      const { store } = fixture;
      const keys = ['g/r/~', 'g/r/\u0080', 'g/r/\ud7ff', 'g/r/\ue000', 'g/r/\uffee', 'g/r/\u{10000}', 'g/r/\u{10ffff}'];
      await createAll(store, [...keys].reverse());
      expect(keysOf(listed(store, 'g/r/'))).toEqual(keys);
      expect(keysOf(listed(store, 'g/r/', { after: 'g/r/\uffee' }))).toEqual(keys.slice(5));
      expect(keysOf(listed(store, 'g/r/', { after: 'g/r/\ud7ff', limit: 2 }))).toEqual(keys.slice(3, 5));
    });

    it('returns chunks, and how many keys remain', async () => {
      const { store } = fixture;
      const keys = names(25);
      await createAll(store, [...keys, 'g/things/nt/0', 'g/thing/ns/0']);
      const first = listed(store, 'g/things/ns/', { limit: 10 });
      expect(keysOf(first)).toEqual(keys.slice(0, 10));
      expect(first).toMatchObject({ more: true, remaining: 15, revision: store.revision });
      const second = listed(store, 'g/things/ns/', { limit: 10, after: keys[9] ?? '' });
      expect(second).toMatchObject({ more: true, remaining: 5 });
      const third = listed(store, 'g/things/ns/', { limit: 5, after: keys[19] ?? '' });
      expect(keysOf(third)).toEqual(keys.slice(20));
      expect(third).toMatchObject({ more: false, remaining: 0 });
    });

    it('continues after keys that do not exist or are out of range', async () => {
      const { store } = fixture;
      const keys = names(5);
      await createAll(store, keys);
      expect(keysOf(listed(store, 'g/things/', { after: `${keys[1]}x` }))).toEqual(keys.slice(2));
      expect(keysOf(listed(store, 'g/things/', { after: 'a' }))).toEqual(keys);
      expect(keysOf(listed(store, 'g/things/', { after: 'h' }))).toEqual([]);
      expect(keysOf(listed(store, 'g/things/', { after: '' }))).toEqual(keys);
    });

    it('returns the exact state of an earlier revision', async () => {
      const { store } = fixture;
      const a = await commit(store, 'g/things/a', 0, 'a1');
      const b = await commit(store, 'g/things/b', 0, 'b1');
      const start = store.revision;
      const a2 = await commit(store, 'g/things/a', a.revision, 'a2');
      await commit(store, 'g/things/b', b.revision);
      const middle = store.revision;
      await commit(store, 'g/things/c', 0, 'c1');
      await commit(store, 'g/things/b', 0, 'b2');
      await commit(store, 'g/things/a', a2.revision, 'a3');
      const at = (revision: number) => listed(store, 'g/things/', { at: revision }).entries.map(contentOf);
      expect(at(a.revision)).toEqual(['a1']);
      expect(at(start)).toEqual(['a1', 'b1']);
      expect(at(a2.revision)).toEqual(['a2', 'b1']);
      expect(at(middle)).toEqual(['a2']);
      expect(at(store.revision)).toEqual(['a3', 'b2', 'c1']);
      expect(listed(store, 'g/things/', { at: start }).revision).toBe(start);
    });

    it('returns consistent chunks of an earlier revision while others write', async () => {
      const { store } = fixture;
      const keys = names(60);
      await createAll(store, keys);
      const { revision } = store;
      const found: Key[] = [];
      let after = '';
      for (let left = 60; left > 0; left -= 7) {
        const chunk = listed(store, 'g/things/ns/', { at: revision, limit: 7, after });
        expect(chunk.entries.map(contentOf)).toEqual(keysOf(chunk));
        expect(chunk).toMatchObject({ revision, more: left > 7, remaining: Math.max(0, left - 7) });
        found.push(...keysOf(chunk));
        after = keysOf(chunk).at(-1) ?? '';
        // Keys change before, at and after the beginning of the next chunk.
        for (const [index, key] of keys.entries()) {
          const current = store.get(key);
          if (index % 7 === left % 7) await commit(store, key, current?.revision ?? 0, current ? undefined : 'again');
          else if (index % 3 === 0 && current) await commit(store, key, current.revision, 'changed');
        }
        await commit(store, `g/things/ns/0010-${left}`, 0, 'new');
      }
      expect(found).toEqual(keys);
    });

    it('refuses future revisions', async () => {
      const { store } = fixture;
      await createAll(store, names(3));
      expect(store.list('g/things/', { at: store.revision + 1 })).toBe('future');
      expect(store.watch('g/things/', store.revision + 1, { event() {}, ended() {} })).toBe('future');
    });
  });

  describe('history', () => {
    let time = 0;
    const aged = storeFixture(create, { historyWindowMs: 1000, now: () => time });
    const small = storeFixture(create, { historyMaxBytes: 4000 });

    it('lasts for the window and no longer', async () => {
      const { store } = aged;
      const first = await commit(store, 'g/things/a', 0, 'one');
      time += 600;
      const second = await commit(store, 'g/things/a', first.revision, 'two');
      time += 300;
      expect(listed(store, '', { at: first.revision }).entries.map(contentOf)).toEqual(['one']);
      time += 300;
      expect(store.list('', { at: first.revision - 1 })).toBe('compacted');
      expect(listed(store, '', { at: first.revision }).entries.map(contentOf)).toEqual(['one']);
      time += 2000;
      expect(store.list('', { at: first.revision })).toBe('compacted');
      expect(store.oldestRevision).toBe(second.revision);
      expect(listed(store, '', { at: second.revision }).entries.map(contentOf)).toEqual(['two']);
      const sink = { event() {}, ended() {} };
      expect(store.watch('', first.revision, sink)).toBe('compacted');
      expect(store.watch('', second.revision, sink)).toBeTypeOf('object');
    });

    it('shrinks if it would take more memory than allowed', async () => {
      const { store } = small;
      const first = await commit(store, 'g/things/a', 0, 'one');
      let current = first;
      for (let round = 0; round < 50; round++)
        current = await commit(store, 'g/things/a', current.revision, 'x'.repeat(100));
      expect(store.list('', { at: first.revision })).toBe('compacted');
      expect(store.oldestRevision).toBeLessThan(current.revision);
      expect(listed(store, '', { at: store.oldestRevision }).entries).toHaveLength(1);
    });
  });
}
