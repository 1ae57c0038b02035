/** Changes while the backend fails, stalls or is overloaded. */
import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../runtime/contract/index.js';
import { journalBackend } from '../../../../runtime/storage/backends/journal.js';
import type { SegmentStore } from '../../../../runtime/storage/backends/segment.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { answerLost, faulty } from '../../../support/faulty-backend.js';
import { MemorySegments } from '../../../support/memory-segments.js';
import { Observer } from '../../../support/store-invariants.js';
import {
  commit,
  contentOf,
  encoded,
  keysOf,
  listed,
  readAttributes,
  watching,
} from '../../../support/store-objects.js';

async function setUp() {
  const faults = faulty(memoryBackend());
  const store = await openStore({ backend: faults.backend, readAttributes, maxObjectBytes: 8 * 1024 * 1024 });
  return { faults, store, observer: new Observer(store) };
}

const outcomes = (answers: readonly Commit[]) => answers.map(({ outcome }) => outcome);

describe('a failing backend', () => {
  it('fails the whole batch with its reason, and leaves the store unchanged', async () => {
    const { faults, store, observer } = await setUp();
    const first = await commit(store, 'g/things/a', 0, 'one');
    const watch = watching(store, '', store.revision);
    faults.failNext(1);
    const answers = await Promise.all([
      store.commit({ key: 'g/things/a', expected: first.revision, next: encoded('two') }),
      store.commit({ key: 'g/things/b', expected: 0, next: encoded('new') }),
    ]);
    for (const answer of answers) {
      expect(answer).toEqual({
        outcome: 'failed',
        failure: { reason: 'InternalError', message: 'the change could not be stored: no space left on the device' },
      });
    }
    expect(store.revision).toBe(first.revision);
    expect(listed(store, '').entries).toEqual([first]);
    expect(watch.events).toEqual([]);
    expect(store.statistics.objectBytes).toBe(first.bytes.length);
    observer.check();
  });

  it('is used again at once, but revisions of failed changes are not', async () => {
    const { faults, store, observer } = await setUp();
    faults.failNext(2);
    for (let round = 0; round < 2; round++) {
      const answer = await store.commit({ key: 'g/things/a', expected: 0, next: encoded('lost') });
      expect(answer.outcome).toBe('failed');
    }
    const entry = await commit(store, 'g/things/a', 0, 'kept');
    expect(entry.revision).toBe(3);
    expect(contentOf(store.get('g/things/a'))).toBe('kept');
    observer.check();
  });

  it('fails the changes that build on the batch, and no others', async () => {
    const { faults, store, observer } = await setUp();
    const first = await commit(store, 'g/things/a', 0, 'one');
    const release = faults.hold();
    faults.failNext(1);
    const gone = store.commit({ key: 'g/things/a', expected: first.revision });
    await new Promise((resolve) => setImmediate(resolve));
    // The backend has the deletion by now. These are decided while it is in flight.
    const again = store.commit({ key: 'g/things/a', expected: 0, next: encoded('again') });
    const loser = store.commit({ key: 'g/things/a', expected: first.revision, next: encoded('late') });
    const other = store.commit({ key: 'g/things/b', expected: 0, next: encoded('other') });
    release();
    expect(outcomes(await Promise.all([gone, again, loser, other]))).toEqual([
      'failed',
      'failed',
      'failed',
      'committed',
    ]);
    expect(listed(store, '').entries.map(contentOf)).toEqual(['one', 'other']);
    expect((await store.commit({ key: 'g/things/a', expected: first.revision })).outcome).toBe('committed');
    observer.check();
  });

  it('fails chains of changes', async () => {
    const { faults, store, observer } = await setUp();
    const first = await commit(store, 'g/things/a', 0, 'one');
    const release = faults.hold();
    faults.failNext(1);
    const head = store.commit({ key: 'g/things/a', expected: first.revision });
    await new Promise((resolve) => setImmediate(resolve));
    const chain = [store.commit({ key: 'g/things/a', expected: 0, next: encoded('two') })];
    // Revisions are consecutive, so the next changes can name revisions in flight.
    for (const expected of [first.revision + 2, 0, first.revision + 4]) {
      chain.push(
        store.commit(expected ? { key: 'g/things/a', expected } : { key: 'g/things/a', expected, next: encoded('x') }),
      );
    }
    release();
    expect(outcomes(await Promise.all([head, ...chain]))).toEqual(Array(5).fill('failed'));
    expect(store.get('g/things/a')).toEqual(first);
    observer.check();
  });

  it('decides on a deletion in flight, even if a change on top of it has failed', async () => {
    const { faults, store, observer } = await setUp();
    const first = await commit(store, 'g/things/a', 0, 'one');
    faults.fill(true);
    const fail = faults.hold();
    const gone = store.commit({ key: 'g/things/a', expected: first.revision });
    const refused = store.commit({ key: 'g/things/a', expected: 0, next: encoded('refused') });
    await new Promise((resolve) => setImmediate(resolve));
    const release = faults.hold();
    fail();
    expect((await refused).outcome).toBe('failed');
    faults.fill(false);
    const after = store.commit({ key: 'g/things/a', expected: 0, next: encoded('after') });
    release();
    expect(outcomes(await Promise.all([gone, after]))).toEqual(['committed', 'committed']);
    expect(contentOf(store.get('g/things/a'))).toBe('after');
    observer.check();
  });

  it('does not affect reads and watches of stored objects', async () => {
    const { faults, store } = await setUp();
    const entry = await commit(store, 'g/things/a', 0, 'one');
    faults.failNext(1);
    const failing = store.commit({ key: 'g/things/a', expected: entry.revision, next: encoded('two') });
    expect(store.get('g/things/a')).toEqual(entry);
    await failing;
    expect(store.get('g/things/a')).toEqual(entry);
    expect(watching(store, '', 0).events).toHaveLength(1);
  });

  it('does not stop the store from closing', async () => {
    const { faults, store } = await setUp();
    faults.failNext(1);
    const failing = store.commit({ key: 'g/things/a', expected: 0, next: encoded('one') });
    await store.close();
    expect((await failing).outcome).toBe('failed');
  });
});

describe('a backend that does not know whether it has stored a batch', () => {
  /** Segments that carry out the next write and still report a failure. */
  class LosingAnswers extends MemorySegments {
    losing = false;

    override async write(...[put, remove]: Parameters<SegmentStore['write']>): Promise<void> {
      await super.write(put, remove);
      if (!this.losing) return;
      this.losing = false;
      throw answerLost();
    }
  }

  async function undecided() {
    const segments = new LosingAnswers();
    const store = await openStore({ backend: journalBackend(segments), readAttributes });
    const kept = await commit(store, 'g/things/a', 0, 'one');
    segments.losing = true;
    const answer = await store.commit({ key: 'g/things/a', expected: kept.revision, next: encoded('two') });
    expect(answer).toEqual({
      outcome: 'failed',
      failure: { reason: 'Timeout', message: 'the change may or may not have been stored: the answer was lost' },
    });
    expect(contentOf(store.get('g/things/a'))).toBe('one');
    const reopened = async () => {
      await store.close();
      return openStore({ backend: journalBackend(segments), readAttributes });
    };
    return { store, kept, reopened };
  }

  it('has stored it whole or not at all at the next open', async () => {
    const { kept, reopened } = await undecided();
    const again = await reopened();
    expect(contentOf(again.get('g/things/a'))).toBe('two');
    expect(again.revision).toBe(kept.revision + 1);
    expect((await commit(again, 'g/things/b', 0, 'x')).revision).toBe(kept.revision + 2);
  });

  it('has not stored it once another one was stored', async () => {
    const { store, kept, reopened } = await undecided();
    const other = await commit(store, 'g/things/b', 0, 'x');
    expect(other.revision).toBeGreaterThan(kept.revision + 1);
    const again = await reopened();
    expect(listed(again, '').entries).toEqual([kept, other]);
    expect(watching(again, '', 0).events).toHaveLength(2);
  });
});

describe('the health of a store', () => {
  const store = async () => {
    const faults = faulty(memoryBackend());
    let time = 0;
    const opened = await openStore({ backend: faults.backend, readAttributes, now: () => time });
    const pass = (ms: number): void => {
      time += ms;
    };
    return { faults, store: opened, pass };
  };

  it('reports that changes fail, until one succeeds', async () => {
    const { faults, store: opened } = await store();
    expect(opened.health()).toBe('');
    faults.failNext(1);
    await opened.commit({ key: 'g/things/a', expected: 0, next: encoded('one') });
    expect(opened.health()).toBe('the change could not be stored: no space left on the device');
    await commit(opened, 'g/things/a', 0, 'one');
    expect(opened.health()).toBe('');
  });

  it('recovers after a long time without attempts', async () => {
    const { faults, store: opened, pass } = await store();
    faults.failNext(1);
    await opened.commit({ key: 'g/things/a', expected: 0, next: encoded('one') });
    pass(29_999);
    expect(opened.health()).not.toBe('');
    pass(1);
    expect(opened.health()).toBe('');
  });

  it('reports that the backend stalls', async () => {
    const { faults, store: opened, pass } = await store();
    const release = faults.hold();
    const writing = commit(opened, 'g/things/a', 0, 'one');
    await new Promise((resolve) => setImmediate(resolve));
    pass(4_999);
    expect(opened.health()).toBe('');
    pass(1_001);
    expect(opened.health()).toBe('storage has not answered for 6 s');
    release();
    await writing;
    expect(opened.health()).toBe('');
  });
});

describe('a slow backend', () => {
  it('gets one batch of all changes that came meanwhile', async () => {
    const { faults, store } = await setUp();
    const release = faults.hold();
    const answers = [commit(store, 'g/things/first', 0, 'x')];
    await new Promise((resolve) => setImmediate(resolve));
    for (let index = 0; index < 500; index++) answers.push(commit(store, `g/things/${index}`, 0, 'x'));
    expect(faults.commits).toBe(1);
    expect(store.count('')).toBe(0);
    release();
    await Promise.all(answers);
    expect(faults.commits).toBe(2);
    expect(store.count('')).toBe(501);
  });

  it('gets batches of limited size', async () => {
    const { faults, store } = await setUp();
    const release = faults.hold();
    const answers = Array.from({ length: 3000 }, (_, index) => commit(store, `g/things/${index}`, 0, 'x'));
    release();
    await Promise.all(answers);
    expect(faults.commits).toBe(3);
    const large = 'x'.repeat(1_500_000);
    await Promise.all(Array.from({ length: 4 }, (_, index) => commit(store, `g/large/${index}`, 0, large)));
    expect(faults.commits).toBe(7);
  });

  it('refuses changes when too many wait, and accepts them again later', async () => {
    const { faults, store } = await setUp();
    const release = faults.hold();
    const large = 'x'.repeat(1_000_000);
    const answers = Array.from({ length: 80 }, (_, index) =>
      store.commit({ key: `g/things/${index}`, expected: 0, next: encoded(large) }),
    );
    release();
    const settled = await Promise.all(answers);
    const refused = settled.filter(({ outcome }) => outcome === 'failed');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ failure: { reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } } });
    expect(store.count('')).toBe(80 - refused.length);
    await commit(store, 'g/things/later', 0, 'x');
  });

  it('lets close wait', async () => {
    const { faults, store } = await setUp();
    const release = faults.hold();
    const writing = commit(store, 'g/things/a', 0, 'one');
    let closed = false;
    const closing = store.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(closed).toBe(false);
    release();
    await closing;
    expect(contentOf(await writing)).toBe('one');
  });
});

describe('a backend without space', () => {
  it('still accepts deletions, alone, and fails other changes of their batch', async () => {
    const { faults, store } = await setUp();
    const gone = await commit(store, 'g/things/gone', 0, 'x');
    const held = await commit(store, 'g/things/held', 0, 'x');
    const changed = await commit(store, 'g/things/changed', 0, 'x');
    faults.fill(true);
    const mixed = await Promise.all([
      store.commit({ key: 'g/things/new', expected: 0, next: encoded('x') }),
      store.commit({ key: gone.key, expected: gone.revision }),
      store.commit({ key: held.key, expected: held.revision, next: encoded('marked'), ending: true }),
      store.commit({ key: changed.key, expected: changed.revision, next: encoded('y') }),
    ]);
    expect(mixed.map(({ outcome }) => outcome)).toEqual(['failed', 'committed', 'committed', 'failed']);
    expect(mixed[0]).toMatchObject({
      failure: { reason: 'InternalError', message: expect.stringContaining('no space') },
    });
    expect(keysOf(listed(store, ''))).toEqual(['g/things/changed', 'g/things/held']);
    expect(contentOf(store.get('g/things/changed'))).toBe('x');
    expect(store.health()).toContain('no space left');
    faults.fill(false);
    expect((await commit(store, 'g/things/new', 0, 'z')).revision).toBeGreaterThan(store.oldestRevision);
    expect(store.health()).toBe('');
  });

  it('fails a deletion that builds on a failed change', async () => {
    const { faults, store } = await setUp();
    faults.fill(true);
    const made = store.commit({ key: 'g/things/a', expected: 0, next: encoded('x') });
    const removed = store.commit({ key: 'g/things/a', expected: store.revision + 1 });
    expect((await made).outcome).toBe('failed');
    expect((await removed).outcome).toBe('failed');
    expect(store.count('')).toBe(0);
  });

  it('opens again with the remaining objects, and history from the last deletion on', async () => {
    const segments = new MemorySegments();
    const faults = faulty(journalBackend(segments));
    const first = await openStore({ backend: faults.backend, readAttributes });
    const entries = await Promise.all(
      Array.from({ length: 20 }, (_, index) => commit(first, `g/things/${index}`, 0, 'x'.repeat(500))),
    );
    faults.fill(true);
    for (const { key, revision } of entries.slice(0, 15)) await commit(first, key, revision);
    faults.fill(false);
    const last = first.revision;
    await commit(first, 'g/things/new', 0, 'x');
    await first.close();
    const again = await openStore({ backend: journalBackend(segments), readAttributes });
    expect(again.damage).toEqual([]);
    expect(again.count('')).toBe(6);
    expect(again.oldestRevision).toBe(last);
    await again.close();
  });
});
