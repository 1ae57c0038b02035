/** Compares a store with a simple model: random changes, exact lists, chunks and watches. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commit, Entry, Key, Revision, Store } from '../../../runtime/contract/index.js';
import { effort } from '../effort.js';
import { expectSame } from '../expect-same.js';
import { Observer } from '../store-invariants.js';
import { contentOf, encoded, listed, watching } from '../store-objects.js';
import type { HarnessFactory, StoreHarness, StoreTraits } from '../store-suite.js';

/** Random runs for each backend. Each run makes up to 60 steps. */
const RUNS = effort('KINDFORGE_MODEL_RUNS', 8, 60);

const KEYS: readonly Key[] = [
  ...['a', 'b', 'c'].flatMap((name) => [`g/things/n1/${name}`, `g/things/n2/${name}`, `g/others/${name}`]),
  'g/things/n1/\uffee',
  'g/things/n1/\u{1f600}',
];
const PREFIXES = ['', 'g/', 'g/things/', 'g/things/n1/', 'g/others/', 'g/others/a', 'g/none/'];

type Step =
  | {
      readonly do: 'write';
      readonly key: number;
      readonly expect: 'current' | 'absent' | 'stale';
      readonly value: number;
    }
  | { readonly do: 'delete'; readonly key: number; readonly expect: 'current' | 'stale' }
  | { readonly do: 'list'; readonly prefix: number; readonly at: number; readonly limit: number }
  | { readonly do: 'watch'; readonly prefix: number; readonly from: number }
  | { readonly do: 'page'; readonly prefix: number; readonly limit: number }
  | { readonly do: 'fail' }
  | { readonly do: 'pause' }
  | { readonly do: 'settle' }
  | { readonly do: 'reopen' };

const index = (items: readonly unknown[]) => fc.integer({ min: 0, max: items.length - 1 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

function steps(traits: StoreTraits): fc.Arbitrary<Step[]> {
  const key = index(KEYS);
  const prefix = index(PREFIXES);
  const write = fc.record({
    do: fc.constant('write' as const),
    key,
    expect: fc.constantFrom('current', 'current', 'absent', 'stale'),
    value: fc.nat(),
  });
  const remove = fc.record({
    do: fc.constant('delete' as const),
    key,
    expect: fc.constantFrom('current', 'current', 'stale'),
  });
  const list = fc.record({
    do: fc.constant('list' as const),
    prefix,
    at: share,
    limit: fc.integer({ min: 1, max: 6 }),
  });
  const watch = fc.record({ do: fc.constant('watch' as const), prefix, from: share });
  const page = fc.record({ do: fc.constant('page' as const), prefix, limit: fc.integer({ min: 1, max: 3 }) });
  return fc.array(
    fc.oneof(
      { weight: 8, arbitrary: write },
      { weight: 5, arbitrary: remove },
      { weight: 4, arbitrary: list },
      { weight: 2, arbitrary: watch },
      { weight: 2, arbitrary: page },
      { weight: 1, arbitrary: fc.constant({ do: 'fail' as const }) },
      { weight: 3, arbitrary: fc.constant({ do: 'pause' as const }) },
      { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
      { weight: traits.persistent ? 1 : 0, arbitrary: fc.constant({ do: 'reopen' as const }) },
    ),
    { maxLength: 60, size: 'max' },
  );
}

/** The writes so far, by their answers. */
interface Fact {
  readonly key: Key;
  readonly revision: Revision;
  /** Absent for a deletion. */
  readonly value?: string;
}

/** A list in chunks that continues during other steps. */
interface Pager {
  readonly prefix: string;
  readonly at: Revision;
  readonly limit: number;
  /** The entries that all chunks together must have. */
  readonly whole: readonly Entry[];
  readonly chunks: Entry[];
}

class Run {
  readonly facts: Fact[] = [];
  readonly #answers: Promise<void>[] = [];
  readonly #watches: {
    readonly prefix: string;
    readonly from: Revision;
    readonly seen: ReturnType<typeof watching>;
  }[] = [];
  readonly #pagers = new Set<Pager>();
  readonly #harness: StoreHarness;
  readonly #start: Revision;
  #observer: Observer;

  constructor(
    public store: Store,
    harness: StoreHarness,
  ) {
    this.#harness = harness;
    this.#start = store.revision;
    this.#observer = new Observer(store);
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'write') this.#change(step.key, step.expect, `v${step.value}`);
    else if (step.do === 'delete') this.#change(step.key, step.expect, undefined);
    else if (step.do === 'list') this.#list(PREFIXES[step.prefix] ?? '', step.at, step.limit);
    else if (step.do === 'watch') this.#watch(PREFIXES[step.prefix] ?? '', step.from);
    else if (step.do === 'page') this.#page(PREFIXES[step.prefix] ?? '', step.limit);
    else if (step.do === 'fail') this.#harness.fail?.();
    else if (step.do === 'pause') await new Promise((resolve) => setImmediate(resolve));
    else if (step.do === 'settle') await this.settle();
    else await this.#reopen();
    for (const pager of this.#pagers) this.#turn(pager);
    this.#observer.check();
  }

  /** Waits for all answers, then compares. */
  async settle(): Promise<void> {
    await Promise.all(this.#answers.splice(0));
    this.facts.sort((a, b) => a.revision - b.revision);
    this.#observer.check();
    expect(describeState(listed(this.store, '').entries)).toEqual(this.#stateAt('', this.store.revision));
    for (const { prefix, from, seen } of this.#watches) {
      const wanted = this.facts.filter(({ key, revision }) => revision > from && covers(prefix, key));
      expect(seen.events.map(({ entry, revision }) => `${entry.key} ${revision}`)).toEqual(
        wanted.map(({ key, revision }) => `${key} ${revision}`),
      );
    }
  }

  #change(keyIndex: number, expectation: 'current' | 'absent' | 'stale', value: string | undefined): void {
    const key = KEYS[keyIndex] ?? '';
    const current = this.store.get(key);
    const expected = { current: current?.revision ?? 0, absent: 0, stale: (current?.revision ?? 0) + 1 }[expectation];
    const change = value === undefined ? { key, expected } : { key, expected, next: encoded(value) };
    this.#answers.push(this.store.commit(change).then((answer) => this.#note(key, expected, value, answer)));
  }

  #note(key: Key, expected: Revision, value: string | undefined, answer: Commit): void {
    if (answer.outcome === 'failed') {
      if (!this.#harness.fail) throw new Error(answer.failure.message);
      return;
    }
    if (answer.outcome === 'conflict') {
      // After a conflict, the key must not have the expected revision.
      if (value !== undefined || expected > 0) expect(answer.current?.revision ?? 0).not.toBe(expected);
      return;
    }
    const { revision } = answer.entry;
    this.facts.push(value === undefined ? { key, revision } : { key, revision, value });
  }

  #list(prefix: string, share: number, limit: number): void {
    const { oldestRevision, revision } = this.store;
    const at = Math.round(oldestRevision + (revision - oldestRevision) * share);
    const whole = listed(this.store, prefix, { at });
    expect(describeState(whole.entries)).toEqual(this.#stateAt(prefix, at));
    const chunks: Entry[] = [];
    for (let more = true; more; ) {
      const last = chunks.at(-1)?.key;
      const chunk = listed(this.store, prefix, last === undefined ? { at, limit } : { at, limit, after: last });
      chunks.push(...chunk.entries);
      more = chunk.more;
      expect(chunk.remaining).toBe(whole.entries.length - chunks.length);
      expect(chunk.entries.length).toBeLessThanOrEqual(limit);
    }
    expectSame(chunks, whole.entries);
  }

  #watch(prefix: string, share: number): void {
    const { oldestRevision, revision } = this.store;
    const from = Math.round(oldestRevision + (revision - oldestRevision) * share);
    this.#watches.push({ prefix, from, seen: watching(this.store, prefix, from) });
  }

  #page(prefix: string, limit: number): void {
    const { revision, entries } = listed(this.store, prefix);
    this.#pagers.add({ prefix, at: revision, limit, whole: entries, chunks: [] });
  }

  /** Lists one more chunk. It must show the state at the beginning of the list, or report that this state is gone. */
  #turn(pager: Pager): void {
    const { prefix, at, limit, whole, chunks } = pager;
    const last = chunks.at(-1)?.key;
    const chunk = this.store.list(prefix, last === undefined ? { at, limit } : { at, limit, after: last });
    if (typeof chunk === 'string') {
      expect(chunk).toBe('compacted');
      expect(at).toBeLessThan(this.store.oldestRevision);
      this.#pagers.delete(pager);
      return;
    }
    chunks.push(...chunk.entries);
    expect(chunk.revision).toBe(at);
    expect(describeState(chunks)).toEqual(describeState(whole.slice(0, chunks.length)));
    expect(chunk.more).toBe(chunks.length < whole.length);
    if (!chunk.more) this.#pagers.delete(pager);
  }

  async #reopen(): Promise<void> {
    await this.settle();
    await this.store.close();
    for (const { seen } of this.#watches.splice(0)) expect(seen.end).toBe('closed');
    const { revision } = this.store;
    this.store = await this.#harness.open();
    expect(this.store.revision).toBe(revision);
    this.#observer = new Observer(this.store);
  }

  /** Folds the committed writes up to a revision. */
  #stateAt(prefix: string, revision: Revision): readonly string[] {
    const state = new Map<Key, string>();
    const known = [...this.facts].sort((a, b) => a.revision - b.revision);
    for (const fact of known) {
      if (fact.revision > revision || fact.revision <= this.#start || !covers(prefix, fact.key)) continue;
      if (fact.value === undefined) state.delete(fact.key);
      else state.set(fact.key, `${fact.revision} ${fact.value}`);
    }
    return [...state].map(([key, rest]) => `${key} ${rest}`).sort(byBytes);
  }
}

function covers(prefix: string, key: Key): boolean {
  return prefix === '' || (prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix);
}

function describeState(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => `${entry.key} ${entry.revision} ${contentOf(entry)}`).sort(byBytes);
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function modelTests(create: HarnessFactory, traits: StoreTraits): void {
  describe('model', () => {
    it('agrees with a simple model on random steps', async () => {
      await fc.assert(
        fc.asyncProperty(steps(traits), async (sequence) => {
          const harness = await create();
          const run = new Run(await harness.open(), harness);
          try {
            for (const step of sequence) await run.step(step);
            await run.settle();
          } finally {
            await run.store.close();
            await harness.dispose();
          }
        }),
        { numRuns: RUNS },
      );
    }, 300_000);
  });
}
