/** Compares lists by selectors with plain lists that the test filters: now, earlier, in chunks and after restarts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EncodedObject, Entry, EntryFilter, Key, Revision, Store } from '../../../runtime/contract/index.js';
import { parseFieldSelector } from '../../../runtime/objects/selectors/field-selectors.js';
import { parseLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { selectionOf } from '../../../runtime/request/selection.js';
import { effort } from '../effort.js';
import { expectSame } from '../expect-same.js';
import { committed, keysOf, listed } from '../store-objects.js';
import type { HarnessFactory, StoreHarness, StoreTraits } from '../store-suite.js';

/** Random runs for each backend. */
const RUNS = effort('KINDFORGE_SELECTOR_RUNS', 2, 8);

/** Enough objects for the store to build indexes. */
const KEYS: readonly Key[] = Array.from(
  { length: 150 },
  (_, at) => `g/things/n${at % 2}/${String(at * 7919).padStart(7, '0')}${at % 50 === 0 ? '\u{1f600}' : ''}`,
);
const PREFIXES = ['g/things/', 'g/things/', 'g/things/n0/', 'g/things/n1/', 'g/', '', 'g/none/', KEYS[3] ?? ''];

type Labels = Readonly<Record<string, string>>;

const labels: fc.Arbitrary<Labels> = fc.record(
  {
    few: fc.integer({ min: 0, max: 40 }).map(String),
    some: fc.constantFrom('', '1', '2', '3'),
    most: fc.constantFrom('x', 'x', 'x', 'x', 'y'),
    toString: fc.constantFrom('1', '2'),
  },
  { requiredKeys: ['most'] },
);

const labelTerm = fc.oneof(
  fc.integer({ min: 0, max: 41 }).map((value) => `few=${value}`),
  fc.uniqueArray(fc.integer({ min: 0, max: 41 }), { minLength: 1, maxLength: 6 }).map((all) => `few in (${all})`),
  fc.constantFrom('few', '!few', 'few>35', 'few<3', 'few!=3', 'few notin (1,2)', 'some', 'some=', 'some in (1,3)'),
  fc.constantFrom('most=x', 'most=y', 'none', 'none=1', 'toString', 'toString=1', 'valueOf', 'constructor=a'),
);
const fieldTerm = fc.constantFrom(
  ...['spec.value=1', 'spec.value=', 'spec.value!=2', 'spec.none=', 'spec.none=1'],
  ...['metadata.namespace=n1', 'metadata.namespace!=n1', `metadata.name=${KEYS[3]?.split('/').at(-1)}`],
);
const filter: fc.Arbitrary<EntryFilter> = fc
  .tuple(fc.array(labelTerm, { maxLength: 3 }), fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fieldTerm))
  .map(([terms, fields]) => {
    const [parsedLabels, parsedFields] = [parseLabelSelector(terms.join()), parseFieldSelector(fields)];
    if (!parsedLabels.ok || !parsedFields.ok) throw new Error(`not a selector: ${terms.join()} ${fields}`);
    return selectionOf(parsedLabels.value, parsedFields.value);
  });

interface Look {
  readonly only: EntryFilter;
  readonly prefix: string;
  /** The position between the oldest and the present revision, from 0 to 1. */
  readonly at: number;
  readonly limit: number;
}

interface Round {
  readonly changes: readonly { readonly key: number; readonly labels: Labels | undefined }[];
  readonly looks: readonly Look[];
  readonly reopen: boolean;
}

const changes = fc.array(
  fc.record({ key: fc.nat(KEYS.length - 1), labels: fc.option(labels, { nil: undefined, freq: 3 }) }),
  { minLength: 1, maxLength: 30 },
);
const look: fc.Arbitrary<Look> = fc.record({
  only: filter,
  prefix: fc.constantFrom(...PREFIXES),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  limit: fc.integer({ min: 1, max: 9 }),
});
const round: fc.Arbitrary<Round> = fc.record({
  changes,
  looks: fc.array(look, { minLength: 10, maxLength: 20, size: 'max' }),
  reopen: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
});
const start = fc.array(labels, { minLength: KEYS.length, maxLength: KEYS.length, size: 'max' });

/** Encodes an object with these labels. Its selectable field has the value of its label `some`. */
function labelled(own: Labels): EncodedObject {
  const head = `{"kind":"Thing","apiVersion":"v1","metadata":{"labels":${JSON.stringify(own)},"resourceVersion":"`;
  const value = Object.hasOwn(own, 'some') ? own.some : '';
  const text = `${head}"},"spec":{"value":${JSON.stringify(value)}}}`;
  return { text, revisionAt: head.length, attributes: { labels: own, fields: { 'spec.value': value ?? '' } } };
}

async function change(store: Store, key: Key, own: Labels | undefined): Promise<void> {
  const expected = store.get(key)?.revision ?? 0;
  if (own) committed(await store.commit({ key, expected, next: labelled(own) }));
  else if (expected > 0) committed(await store.commit({ key, expected }));
}

/** Filters the entries of an unfiltered list. A list by selectors must have the same entries. */
const wanted = (store: Store, { only, prefix }: Look, at: Revision | undefined): readonly Entry[] =>
  listed(store, prefix, { at }).entries.filter((entry) => only.matches(entry));

function expectWhole(store: Store, look: Look, at: Revision | undefined): void {
  const found = listed(store, look.prefix, { at, only: look.only });
  const all = wanted(store, look, at);
  expectSame(
    keysOf(found),
    all.map(({ key }) => key),
  );
  expectSame(found.entries, all);
  expect(found).toMatchObject({ revision: at ?? store.revision, more: false, remaining: 0 });
}

/** Reads a list in chunks of the same revision; `between` changes the store meanwhile. */
async function expectChunks(
  store: Store,
  look: Look,
  first: Revision | undefined,
  between: () => Promise<void>,
): Promise<void> {
  const { only, prefix, limit } = look;
  const whole = wanted(store, look, first);
  const all = keysOf(listed(store, prefix, { at: first }));
  const chunks: Entry[] = [];
  let at = first;
  let after: Key | undefined;
  for (;;) {
    const chunk = listed(store, prefix, { at, only, limit, after });
    chunks.push(...chunk.entries);
    const last = chunk.entries.length === limit ? chunk.entries.at(-1) : undefined;
    const remaining = last ? all.length - all.indexOf(last.key) - 1 : 0;
    expect(chunk).toMatchObject({ more: remaining > 0, remaining });
    expect(chunks.length).toBeLessThanOrEqual(whole.length);
    if (!chunk.more) break;
    after = last?.key;
    at = chunk.revision;
    await between();
  }
  expectSame(chunks, whole);
}

async function check(store: Store, look: Look, between: () => Promise<void>): Promise<void> {
  const { oldestRevision, revision } = store;
  const past = Math.round(oldestRevision + (revision - oldestRevision) * look.at);
  for (const at of [undefined, past]) {
    expectWhole(store, look, at);
    await expectChunks(store, look, at, between);
  }
}

async function run(harness: StoreHarness, first: readonly Labels[], rounds: readonly Round[]): Promise<void> {
  let store = await harness.open();
  try {
    await Promise.all(KEYS.map((key, at) => change(store, key, first[at])));
    let asked: readonly Look[] = [];
    for (const { changes, looks, reopen } of rounds) {
      // Repeats the list before and after each change, because a store may cache results.
      for (const { key, labels: own } of changes) {
        for (const each of asked) expectWhole(store, each, undefined);
        await change(store, KEYS[key] ?? '', own);
      }
      for (const each of asked) expectWhole(store, each, undefined);
      asked = looks;
      let turn = 0;
      for (const each of looks) {
        await check(store, each, async () => {
          const next = changes[turn++ % changes.length];
          // The next changes affect other keys.
          if (next && turn < 40) await change(store, KEYS[(next.key + turn) % KEYS.length] ?? '', next.labels);
        });
      }
      if (!reopen) continue;
      await store.close();
      store = await harness.open();
    }
  } finally {
    await store.close();
    await harness.dispose();
  }
}

export function selectorTests(create: HarnessFactory, traits: StoreTraits): void {
  describe('a filtered list', () => {
    it('equals the filtered plain list, now and earlier, whole and in chunks', async () => {
      const rounds = fc.array(round, { minLength: 3, maxLength: 6, size: 'max' });
      await fc.assert(
        fc.asyncProperty(start, rounds, async (first, sequence) => {
          const kept = traits.persistent ? sequence : sequence.map((each) => ({ ...each, reopen: false }));
          await run(await create(), first, kept);
        }),
        { numRuns: RUNS },
      );
    }, 300_000);
  });
}
