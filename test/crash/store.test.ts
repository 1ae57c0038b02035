/**
 * Kills a process that writes to a store again and again. Acknowledged changes remain, whole and once.
 * KINDFORGE_CRASH_ROUNDS sets the number of kills.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Key, Revision, Store } from '../../runtime/contract/index.js';
import { openStore } from '../../runtime/storage/index.js';
import { startChild } from '../support/child.js';
import { crashBackend } from '../support/crash-backends.js';
import { effort } from '../support/effort.js';
import { hasLibsql, libsqlOrWhyNot } from '../support/libsql.js';
import { hasRedis, redisOrWhyNot, startRedis } from '../support/redis.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { contentOf, listed, readAttributes, stamped, textOf, watching } from '../support/store-objects.js';

const ROUNDS = effort('KINDFORGE_CRASH_ROUNDS', 1, 8);
/** As many as the writing process has. So many changes may be durable but not acknowledged. */
const WRITERS = 16;
/**
 * The number of changes that a process acknowledges before the kill. Some kills come earlier, while the process opens
 * the store.
 */
const LEAST_WRITES = 40;
const AMPLE_HISTORY = 512 * 1024 * 1024;

interface Acknowledged {
  readonly key: Key;
  readonly revision: Revision;
  readonly expected: Revision;
  /** Absent for a deletion. */
  readonly content?: string;
}

function parse(line: string): Acknowledged {
  const [type, key = '', revision, expected, content = ''] = line.split(' ');
  const change = { key, revision: Number(revision), expected: Number(expected) };
  return type === '+' ? { ...change, content } : change;
}

/** Returns the complete lines of a log. A kill may have cut the last one. */
const linesOf = (text: string): string[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);

class Ledger {
  readonly acknowledged: Acknowledged[] = [];
  /** The highest revision that any process has seen. */
  newest: Revision = 0;

  /** Records the acknowledged changes of a process. Their revisions must be new. */
  add(changes: readonly Acknowledged[]): void {
    const before = this.newest;
    const revisions = new Set<Revision>();
    for (const change of changes) {
      expect(change.revision).toBeGreaterThan(before);
      revisions.add(change.revision);
      this.acknowledged.push(change);
      this.newest = Math.max(this.newest, change.revision);
    }
    expect(revisions.size).toBe(changes.length);
  }

  /** Compares the records with a store that was opened after a kill. */
  check(store: Store, rounds: number): void {
    expect(store.revision).toBeGreaterThanOrEqual(this.newest);
    this.newest = store.revision;
    this.#checkObjects(store, rounds);
    this.#checkHistory(store, rounds);
  }

  #checkObjects(store: Store, rounds: number): void {
    const last = new Map(this.acknowledged.map((change) => [change.key, change]));
    let unacknowledged = 0;
    for (const entry of listed(store, '').entries) {
      expect(textOf(entry)).toBe(stamped(contentOf(entry) ?? '', entry.revision));
      expect(contentOf(entry)).toMatch(/^\d+-\d+-\d+-x*$|^\d+-\d+-\d+-$/);
      const change = last.get(entry.key);
      last.delete(entry.key);
      if (change?.revision === entry.revision) expect(contentOf(entry)).toBe(change.content);
      else {
        unacknowledged++;
        expect(entry.revision).toBeGreaterThan(change?.revision ?? 0);
      }
    }
    // A missing object was deleted, or its deletion was in flight.
    for (const change of last.values()) if (change.content !== undefined) unacknowledged++;
    expect(unacknowledged).toBeLessThanOrEqual(WRITERS * rounds);
  }

  #checkHistory(store: Store, rounds: number): void {
    const { events } = watching(store, '', store.oldestRevision);
    const byRevision = new Map(events.map((event) => [event.revision, event]));
    const kept = this.acknowledged.filter(({ revision }) => revision > store.oldestRevision);
    for (const { key, revision, expected, content } of kept) {
      const event = byRevision.get(revision);
      expect(event?.entry.key).toBe(key);
      expect(event?.type === 'DELETED').toBe(content === undefined);
      expect(event?.previous?.revision ?? 0).toBe(expected);
      if (content !== undefined) expect(contentOf(event?.entry)).toBe(content);
    }
    expect(events.length - kept.length).toBeLessThanOrEqual(WRITERS * rounds);
    const revisions = events.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  }
}

interface Kind {
  readonly kind: string;
  readonly name: string;
  readonly isThere: boolean;
}

const kinds: readonly Kind[] = [
  { kind: 'lmdb', name: 'lmdb', isThere: true },
  { kind: 'fs', name: 'unstorage: fs', isThere: true },
  { kind: 'db0', name: `unstorage: db0 over ${libsqlOrWhyNot}`, isThere: hasLibsql },
  { kind: 'redis', name: `unstorage: ${redisOrWhyNot}`, isThere: hasRedis },
];

for (const { kind, name, isThere } of kinds) {
  describe.runIf(isThere)(`a store on ${name} with kills of its process`, () => {
    const directory = scratchFolder();
    let place: string;
    let end = async (): Promise<void> => {};
    beforeAll(async () => {
      place = join(directory, 'data');
      if (kind !== 'redis') return;
      const server = await startRedis();
      place = server.url;
      end = () => server.dispose();
    });
    afterAll(async () => {
      await end();
    });

    const acknowledgedIn = async (log: string): Promise<readonly string[]> =>
      linesOf(await readFile(log, 'utf8').catch(() => ''));

    /** Lets a process write and kills it. Returns the acknowledged changes. */
    async function writeAndKill(round: number, historyBytes: number): Promise<Acknowledged[]> {
      const log = join(directory, `acknowledged-${round}`);
      const child = startChild('../crash/writer.ts', [kind, place, log, String(historyBytes)]);
      // Now and then kills it before it is ready: while it opens, or takes over the lock.
      if (round % 4 === 3) await sleep(300 + Math.random() * 1200);
      else {
        expect(await child.message()).toBe('ready');
        await sleep(Math.random() * 600);
        // On a slow machine, it may have written almost nothing by then.
        while ((await acknowledgedIn(log)).length < LEAST_WRITES) await sleep(5);
      }
      await child.kill();
      return (await acknowledgedIn(log)).map(parse);
    }

    it(
      `loses nothing and repeats nothing in ${ROUNDS} rounds`,
      async () => {
        const ledger = new Ledger();
        for (let round = 0; round < ROUNDS; round++) {
          // With little history, most of the journal is outdated, so the store cleans it.
          const historyBytes = round % 2 === 0 ? AMPLE_HISTORY : 100_000;
          ledger.add(await writeAndKill(round, historyBytes));
          const backend = await crashBackend(kind, place);
          const store = await openStore({ backend, readAttributes, historyMaxBytes: AMPLE_HISTORY });
          ledger.check(store, round + 1);
          await store.close();
        }
        expect(ledger.acknowledged.length).toBeGreaterThanOrEqual(Math.floor(ROUNDS / 2) * LEAST_WRITES);
      },
      60_000 + ROUNDS * 20_000,
    );
  });
}
