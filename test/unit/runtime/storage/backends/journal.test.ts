import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Backend, Revision, StoredRecord } from '../../../../../runtime/contract/index.js';
import { type JournalOptions, journalBackend } from '../../../../../runtime/storage/backends/journal.js';
import { decodeSegment } from '../../../../../runtime/storage/backends/segment.js';
import {
  checkpointAt,
  deletion,
  describeRecord,
  readAll,
  record,
  testBackend,
} from '../../../../support/backend-suite.js';
import { effort } from '../../../../support/effort.js';
import { MemorySegments } from '../../../../support/memory-segments.js';

testBackend('journal', async () => {
  const segments = new MemorySegments();
  return { create: () => journalBackend(segments), dispose: async () => {} };
});

/** Returns the state after some records: the last record of each key, without deletions. */
function stateOf(lines: readonly string[]): string[] {
  const last = new Map(lines.map((line) => [line.split(' ')[1]?.slice(1), line]));
  return [...last.values()].filter((line) => !line.includes(' -')).sort();
}

/** Returns the beginning of the log, from its newest segment. */
function firstOf({ segments }: MemorySegments): number {
  const newest = segments.get(Math.max(...segments.keys()));
  return decodeSegment(newest ?? Buffer.alloc(0)).header?.first ?? 0;
}

/** Opens an empty journal. */
async function newJournal(options?: JournalOptions) {
  const segments = new MemorySegments();
  const journal = journalBackend(segments, options);
  await readAll(journal);
  return { segments, journal };
}

/** Writes an object at each revision before `end`, each into a segment of its own. */
async function fill(journal: Backend, end: number): Promise<void> {
  for (let revision = 1; revision < end; revision++) {
    await journal.commit([record(`g/a/${revision}`, revision, 'body')], checkpointAt(revision), []);
  }
}

/** Writes one object at each of these revisions, and forgets what is not needed any more, at first `needless`. */
async function rewrite(
  journal: Backend,
  key: string,
  start: number,
  end: number,
  needless: readonly Revision[] = [],
): Promise<void> {
  let forget = needless;
  for (let revision = start; revision < end; revision++) {
    await journal.commit([record(key, revision, `v${revision}`)], checkpointAt(revision), forget);
    forget = [revision];
  }
}

describe('a journal', () => {
  it('does not change when a write fails', async () => {
    const { segments, journal } = await newJournal({ slackBytes: 0 });
    await journal.commit([record('g/a/1', 1, 'one')], checkpointAt(1), []);
    segments.failing = true;
    await expect(journal.commit([record('g/a/2', 2, 'two')], checkpointAt(2), [])).rejects.toThrow('the write failed');
    segments.failing = false;
    await journal.commit([record('g/a/3', 3, 'three')], checkpointAt(3), []);
    expect((await readAll(journalBackend(segments))).lines).toEqual(['1 +g/a/1 one', '3 +g/a/3 three']);
  });

  it('continues after all known revisions when the last checkpoint is lost', async () => {
    const { segments, journal } = await newJournal();
    await journal.commit([record('g/a/1', 1, 'one')], checkpointAt(1), []);
    await journal.commit([record('g/a/2', 70, 'two')], checkpointAt(70), []);
    segments.segments.get(2)?.fill(0, 0, 20);
    const { checkpoint, lines, damage } = await readAll(journalBackend(segments));
    expect(checkpoint.revision).toBeGreaterThan(70);
    expect(checkpoint.oldestRevision).toBe(checkpoint.revision);
    expect(lines).toEqual(['1 +g/a/1 one']);
    expect(damage).toMatchObject([{ key: '', problem: 'segment 2 of the journal is unreadable' }]);
  });

  it('keeps damaged records, and reports them, until they are discarded', async () => {
    const { segments, journal } = await newJournal({ slackBytes: 0 });
    await journal.commit([record('g/a/1', 1, 'one'), record('g/a/2', 2, 'two')], checkpointAt(2), []);
    const segment = segments.segments.get(1);
    segment?.write('x', segment.indexOf('two'));

    const served = journalBackend(segments, { slackBytes: 0 });
    expect((await readAll(served)).damage).toMatchObject([{ key: 'g/a/2', revision: 2 }]);
    await rewrite(served, 'g/a/3', 3, 20);
    expect([...segments.segments.keys()]).not.toContain(1);

    const discarding = journalBackend(segments);
    const found = await readAll(discarding, { discardDamage: true });
    expect(found.damage).toMatchObject([{ key: 'g/a/2', revision: 2 }]);
    expect(stateOf(found.lines)).toEqual(['1 +g/a/1 one', '19 +g/a/3 v19']);
    expect((await readAll(journalBackend(segments))).damage).toHaveLength(1);
    await discarding.commit([record('g/a/4', 30, 'new')], checkpointAt(30), []);
    const after = await readAll(journalBackend(segments));
    expect(after.damage).toEqual([]);
    expect(stateOf(after.lines)).toEqual(['1 +g/a/1 one', '19 +g/a/3 v19', '30 +g/a/4 new']);
  });

  it('does not count a failed commit as a repair', async () => {
    const { segments, journal } = await newJournal({ slackBytes: 0 });
    await journal.commit([record('g/a/1', 1, 'one')], checkpointAt(1), []);
    const segment = segments.segments.get(1);
    segment?.write('x', segment.indexOf('one'));
    const serving = journalBackend(segments, { slackBytes: 0 });
    expect((await readAll(serving)).damage).toHaveLength(1);
    segments.failing = true;
    await expect(serving.commit([record('g/a/1', 2, 'two')], checkpointAt(2), [])).rejects.toThrow();
    segments.failing = false;
    await rewrite(serving, 'g/a/2', 3, 10);
    expect((await readAll(journalBackend(segments))).damage).toMatchObject([{ key: 'g/a/1', revision: 1 }]);
  });

  it('writes little more than its input', async () => {
    const { segments, journal } = await newJournal({ slackBytes: 10_000 });
    const body = 'x'.repeat(1000);
    let revision = 0;
    for (; revision < 200; ) {
      await journal.commit([record(`g/cold/${++revision}`, revision, body)], checkpointAt(revision), []);
    }
    const before = segments.written;
    for (let round = 0; round < 2000; round++) {
      const forget = round === 0 ? [] : [revision];
      await journal.commit([record('g/hot/1', ++revision, body)], checkpointAt(revision, revision - 1), forget);
    }
    // Half of the log is live on average, so each record is moved about once.
    expect(segments.written - before).toBeLessThan(2000 * 1100 * 3);
    expect(segments.bytes).toBeLessThan(201 * 1100 * 3);
  });

  it('does not make small commits pay for an earlier burst', async () => {
    const { segments, journal } = await newJournal({ slackBytes: 0 });
    const body = 'x'.repeat(50_000);
    const all = Array.from({ length: 40 }, (_, at) => at + 1);
    for (const revision of all) await journal.commit([record('g/a/1', revision, body)], checkpointAt(revision), []);
    const small = async (revision: number, forget: readonly Revision[]): Promise<number> => {
      const before = segments.segments.size;
      await journal.commit([record('g/a/1', revision, '')], checkpointAt(revision, revision), forget);
      return before + 1 - segments.segments.size;
    };
    // Three are cleaned ahead. From then on one is cleaned for each 25 KB that are written.
    expect(await small(41, all)).toBe(3);
    expect(await small(42, [41])).toBe(0);
    expect(await small(43, [42])).toBe(0);
    await journal.commit([record('g/a/2', 44, body)], checkpointAt(44, 44), []);
    expect(Math.min(...segments.segments.keys())).toBe(6);
    expect(stateOf((await readAll(journalBackend(segments))).lines)).toEqual(['43 +g/a/1 ', `44 +g/a/2 ${body}`]);
  });

  it('discards damage that is cleaned away in the same commit', async () => {
    const { segments, journal } = await newJournal({ slackBytes: 0 });
    for (let revision = 1; revision < 10; revision++) {
      await journal.commit([record('g/a/1', revision, `v${revision}`)], checkpointAt(revision, revision), []);
    }
    const oldest = segments.segments.get(1);
    oldest?.write('x', oldest.indexOf('v1'));
    const discarding = journalBackend(segments, { slackBytes: 0 });
    await readAll(discarding, { discardDamage: true });
    await discarding.commit([record('g/a/1', 10, 'v10')], checkpointAt(10, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Math.min(...segments.segments.keys())).toBe(firstOf(segments));
    expect((await readAll(journalBackend(segments))).damage).toEqual([]);
  });

  it('notices missing segments', async () => {
    const { segments, journal } = await newJournal();
    await fill(journal, 6);
    segments.segments.delete(1);
    segments.segments.delete(3);
    segments.segments.delete(4);
    const problems = ['segment 1 of the journal is missing', 'segments 3 to 4 of the journal are missing'];
    expect((await readAll(journalBackend(segments))).damage.map(({ problem }) => problem)).toEqual(problems);
    const discarding = journalBackend(segments);
    expect((await readAll(discarding, { discardDamage: true })).damage).toHaveLength(2);
    await discarding.commit([record('g/a/9', 9, 'body')], checkpointAt(9), []);
    const { damage, lines } = await readAll(journalBackend(segments));
    expect(damage).toEqual([]);
    expect(lines).toEqual(['2 +g/a/2 body', '5 +g/a/5 body', '9 +g/a/9 body']);
  });

  it('keeps reporting missing records, however much it is cleaned', async () => {
    const { segments, journal } = await newJournal();
    await fill(journal, 6);
    segments.segments.delete(2);
    segments.segments.delete(4);
    segments.remembered.set(4, [{ key: 'g/a/4', revision: 4 }]);
    const serving = journalBackend(segments, { slackBytes: 0 });
    const problems = ['its record of revision 4 is missing with segment 4 of the journal'];
    expect((await readAll(serving)).damage.map(({ problem }) => problem)).toEqual([
      ...problems,
      'segment 2 of the journal is missing',
    ]);
    await rewrite(serving, 'g/b/1', 6, 40);
    expect(Math.min(...segments.segments.keys())).toBeGreaterThan(5);
    const { damage, lines } = await readAll(journalBackend(segments));
    expect(damage).toHaveLength(2);
    expect(damage).toContainEqual(expect.objectContaining({ key: 'g/a/4', revision: 4 }));
    expect(stateOf(lines)).toHaveLength(4);
  });

  it('forgets a missing record once its key is written again', async () => {
    const { segments, journal } = await newJournal();
    await fill(journal, 4);
    segments.segments.delete(2);
    segments.remembered.set(2, [{ key: 'g/a/2', revision: 2 }]);
    const healing = journalBackend(segments, { slackBytes: 0 });
    expect((await readAll(healing)).damage).toMatchObject([{ key: 'g/a/2', revision: 2 }]);
    await rewrite(healing, 'g/a/2', 4, 20, [1, 3]);
    expect((await readAll(journalBackend(segments))).damage).toEqual([]);
  });

  it('knows that its newest segment is missing if the store knows', async () => {
    const { segments, journal } = await newJournal();
    await fill(journal, 4);
    segments.segments.delete(3);
    segments.open = async () => [1, 2, 3];
    const { checkpoint, damage, lines } = await readAll(journalBackend(segments));
    expect(checkpoint.revision).toBeGreaterThan(1000);
    expect(damage).toMatchObject([{ key: '', problem: 'segment 3 of the journal is missing' }]);
    expect(lines).toEqual(['1 +g/a/1 body', '2 +g/a/2 body']);
  });

  it('forgets a damaged record once its key is written again', async () => {
    const { segments, journal } = await newJournal({ slackBytes: 0 });
    await journal.commit([record('g/a/1', 1, 'one')], checkpointAt(1), []);
    const segment = segments.segments.get(1);
    segment?.write('x', segment.indexOf('one'));
    const healing = journalBackend(segments, { slackBytes: 0 });
    expect((await readAll(healing)).damage).toHaveLength(1);
    await rewrite(healing, 'g/a/1', 2, 10);
    expect((await readAll(journalBackend(segments))).damage).toEqual([]);
  });

  it('has the same state after any history, cleaned, interrupted and opened again', async () => {
    const change = fc.record({ key: fc.nat(5), remove: fc.boolean(), body: fc.nat(60) });
    const steps: fc.Arbitrary<Step> = fc.record({
      batch: fc.array(change, { minLength: 1, maxLength: 4 }),
      keep: fc.nat(6),
      next: fc.constantFrom('continue', 'reopen', 'crash'),
      removals: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 60, size: 'max' }), async (sequence) => {
        const segments = new MemorySegments();
        const user = new JournalUser();
        let journal = journalBackend(segments, { slackBytes: 200 });
        await readAll(journal);
        for (const { batch, keep, next, removals } of sequence) {
          const records = batch.flatMap(({ key, remove, body }) =>
            user.change(`k${key}`, remove, `b${'x'.repeat(body)}`),
          );
          if (records.length === 0) continue;
          const checkpoint = checkpointAt(user.revision, user.oldestAfter(keep));
          if (next === 'crash') segments.removalsUntilCrash = removals;
          await journal.commit(records, checkpoint, user.forget(checkpoint.oldestRevision));
          if (next !== 'crash') expect(Math.min(...segments.segments.keys())).toBe(firstOf(segments));
          if (next === 'continue') continue;
          journal = journalBackend(segments, { slackBytes: 200 });
          const found = await readAll(journal);
          expect(found.checkpoint).toEqual(checkpoint);
          expect(found.damage).toEqual([]);
          expect(stateOf(found.lines)).toEqual(user.state);
          // An unneeded segment may be forgotten more than once.
          user.needless = user.all
            .filter(({ until }) => until <= checkpoint.oldestRevision)
            .map(({ revision }) => revision);
        }
      }),
      {
        numRuns: effort('KINDFORGE_JOURNAL_RUNS', 60, 600),
        examples: MOVED_PAST_THEIR_END.map((sequence): [Step[]] => [sequence]),
      },
    );
  });
});

interface Step {
  readonly batch: readonly { readonly key: number; readonly remove: boolean; readonly body: number }[];
  /** The number of revisions in the history. */
  readonly keep: number;
  readonly next: 'continue' | 'reopen' | 'crash';
  readonly removals: number;
}

/** Makes a step from the numbers of the keys that it writes. Negative ones are deleted; keys count from 1. */
function step(keys: readonly number[], keep: number, next: Step['next'] = 'continue'): Step {
  const batch = keys.map((key) => ({ key: Math.abs(key) - 1, remove: key < 0, body: 0 }));
  return { batch, keep, next, removals: 0 };
}

/**
 * Versions that history still needs are moved after their deletions. These are removed first; the versions must not
 * come back.
 */
const MOVED_PAST_THEIR_END: readonly Step[][] = [
  [step([1], 0), step([3], 0), step([3], 0), step([-3], 1), step([-1], 2), step([2, 2], 3), step([2], 0, 'crash')],
  [
    step([1], 0),
    step([1, 1], 0),
    step([1], 0),
    step([1, 2], 0, 'reopen'),
    step([1], 1),
    step([3, -2, 3], 4),
    step([3, 1, 1], 5),
    step([1], 3, 'crash'),
  ],
  [step([1], 0), step([6, 2], 0), step([-2], 0), step([1, -6], 1, 'crash'), step([1], 2), step([1], 1, 'reopen')],
];

/** Uses a journal as the store does: forgets a version once its end is older than the history. */
class JournalUser {
  revision = 0;
  needless: Revision[] = [];
  /** Every version with the revision that ended it. A deletion ends itself. */
  readonly all: { readonly revision: Revision; until: Revision }[] = [];
  readonly #live = new Map<string, { readonly revision: Revision; readonly line: string }>();
  #reported = 0;

  change(key: string, remove: boolean, body: string): StoredRecord[] {
    const old = this.#live.get(key);
    if (remove && !old) return [];
    const revision = ++this.revision;
    const ended = this.all.find((version) => version.revision === old?.revision);
    if (ended) ended.until = revision;
    this.all.push({ revision, until: remove ? revision : Number.POSITIVE_INFINITY });
    const made = (remove ? deletion : record)(key, revision, body, old?.revision);
    if (remove) this.#live.delete(key);
    else this.#live.set(key, { revision, line: describeRecord(made) });
    return [made];
  }

  /** Returns the oldest revision of a history of this length; it never goes back. */
  oldestAfter(keep: number): Revision {
    return Math.max(this.#reported, this.revision - keep);
  }

  /** Returns the segments that became unnecessary since the last call. */
  forget(oldest: Revision): Revision[] {
    const fresh = this.all.filter(({ until }) => until > this.#reported && until <= oldest);
    this.#reported = oldest;
    return [...this.needless.splice(0), ...fresh.map(({ revision }) => revision)];
  }

  get state(): string[] {
    return [...this.#live.values()].map(({ line }) => line).sort();
  }
}
