/** Finds everything in a history that breaks the promises of a store. */

import type { Key, Revision } from '../../../runtime/contract/index.js';
import { Knowledge } from './knowledge.js';
import type { GetRecord, History, ListRecord, Violation, WatchedChange, WatchRecord, WriteRecord } from './records.js';
import { type Change, describe, Timeline } from './timeline.js';

/** Lists all violations. A store that keeps its promises has none. */
export function checkHistory(history: History): readonly Violation[] {
  const timeline = new Timeline(history);
  const knowledge = new Knowledge(history);
  return [
    ...timeline.violations,
    ...checkWrites(history, timeline),
    ...lateRevisions(history, knowledge),
    ...checkReads(history, timeline, knowledge),
    ...checkWatches(history, timeline),
  ];
}

/** Finds writes with a revision that some client knew before the write began. */
function lateRevisions({ writes }: History, knowledge: Knowledge): Violation[] {
  return writes.flatMap(({ key, outcome, began }) => {
    const known = knowledge.at(began);
    if (typeof outcome !== 'number' || outcome > known) return [];
    return [{ rule: 'revision went back', message: `a write of ${key} got ${outcome} when ${known} was known` }];
  });
}

// Compares watches with the timeline: every change after their start, once, in order and with its right type.

const checkWatches = ({ watches }: History, timeline: Timeline): Violation[] =>
  watches.flatMap((watch) => [
    ...orderProblems(watch),
    ...missing(watch, timeline),
    ...watch.changes.flatMap((change) => typeProblems(change, timeline)),
  ]);

function orderProblems({ from, changes }: WatchRecord): Violation[] {
  const seen = new Set<number>();
  let last = from;
  return changes.flatMap((change): Violation[] => {
    const { revision } = change;
    const repeated = seen.has(revision) || revision <= from;
    const wentBack = revision < last;
    seen.add(revision);
    last = Math.max(last, revision);
    if (repeated) return [{ rule: 'repeated change', message: `a watch from ${from} had ${describe(change)} again` }];
    if (!wentBack) return [];
    return [{ rule: 'revision went back', message: `a watch had ${describe(change)} after ${last}` }];
  });
}

function missing({ from, changes }: WatchRecord, timeline: Timeline): Violation[] {
  const seen = new Set(changes.map(({ revision }) => revision));
  const last = Math.max(from, ...seen);
  const lacking = timeline.between(from, last).filter(({ revision }) => !seen.has(revision));
  return lacking.map((change) => ({
    rule: 'missed change',
    message: `a watch from ${from} to ${last} lacks ${describe(change)}`,
  }));
}

function typeProblems(change: WatchedChange, timeline: Timeline): Violation[] {
  const { type, key, revision } = change;
  const before = timeline.lastOf(key, revision - 1);
  const existed = before?.value !== undefined;
  if (existed !== (type === 'ADDED')) return [];
  if (existed && timeline.mayHideDeletion(key, before.revision, revision)) return [];
  const was = existed ? describe(before) : 'nothing';
  return [{ rule: 'wrong type', message: `${describe(change)} is ${type}, and there was ${was} before` }];
}

// Compares writes with the timeline: each happened once or not at all, on the version that its writer meant.

function checkWrites({ writes }: History, timeline: Timeline): Violation[] {
  const byValue = new Map<string, WriteRecord>();
  for (const write of writes) if (write.value !== undefined) byValue.set(write.value, write);
  const deletions = new Deletions(writes);
  const applied = new Set<WriteRecord>();
  return timeline.changes.flatMap((change) => {
    const write = change.value === undefined ? deletions.take(change) : byValue.get(change.value);
    const twice = write !== undefined && applied.has(write);
    if (write) applied.add(write);
    return [...originProblems(change, write, twice), ...baseProblems(change, write, timeline)];
  });
}

/** Finds the writer of a deletion: the one that got its revision, or one that got no answer. */
class Deletions {
  readonly #told = new Map<number, WriteRecord>();
  readonly #unknown = new Map<Key, WriteRecord[]>();

  constructor(writes: readonly WriteRecord[]) {
    for (const write of writes) {
      if (write.value !== undefined || write.outcome === 'refused') continue;
      if (write.outcome === 'unknown') this.#unknown.set(write.key, [...(this.#unknown.get(write.key) ?? []), write]);
      else this.#told.set(write.outcome, write);
    }
  }

  take({ key, revision }: Change): WriteRecord | undefined {
    return this.#told.get(revision) ?? this.#unknown.get(key)?.shift();
  }
}

function originProblems(change: Change, write: WriteRecord | undefined, twice: boolean): Violation[] {
  const what = describe(change);
  if (!write) return [{ rule: 'phantom', message: `nobody has written ${what}` }];
  if (write.key !== change.key) return [{ rule: 'phantom', message: `${what} was written to ${write.key}` }];
  if (write.outcome === 'refused') {
    const refusal = write.refusal === undefined ? '' : `: ${write.refusal}`;
    return [{ rule: 'phantom', message: `${what} is of a write that was refused${refusal}` }];
  }
  if (twice) return [{ rule: 'applied twice', message: `${what} was there before` }];
  if (typeof write.outcome === 'number' && write.outcome !== change.revision) {
    return [{ rule: 'applied twice', message: `${what} was acknowledged at ${write.outcome}` }];
  }
  return [];
}

/** Checks that a change follows the version that its writer named, and that a deletion deleted something. */
function baseProblems(change: Change, write: WriteRecord | undefined, timeline: Timeline): Violation[] {
  const { key, revision } = change;
  const before = timeline.lastOf(key, revision - 1);
  const found = before?.value === undefined ? 0 : before.revision;
  const hidden = found > 0 && timeline.mayHideDeletion(key, found, revision);
  if (write?.value === undefined) {
    if (found > 0) {
      // Several writers got no answer, so the writer is a guess, and the version that it named does not count.
      if (typeof write?.outcome !== 'number' || write.expected === undefined || write.expected === found) return [];
      return [doubleWin(change, write.expected, found)];
    }
    return [{ rule: 'double win', message: `${describe(change)} had nothing to delete` }];
  }
  if (write.expected === undefined || write.expected === found) return [];
  if (write.expected === 0 && hidden) return [];
  return [doubleWin(change, write.expected, found)];
}

const doubleWin = (change: Change, expected: number, found: number): Violation => ({
  rule: 'double win',
  message: `${describe(change)} was made of revision ${expected}, and went over ${found}`,
});

// Compares gets and lists with the timeline: as fresh as requested, and exactly the state of their revision.

const checkReads = (history: History, timeline: Timeline, knowledge: Knowledge): Violation[] => [
  ...history.gets.flatMap((get) => getProblems(get, timeline, knowledge)),
  ...history.lists.flatMap((list) => revisionProblems(list, knowledge)),
  ...stateProblems(history.lists, timeline),
];

/** Returns the oldest revision that an answer may have. */
const floorOf = ({ latest, notBefore = 0, began }: GetRecord | ListRecord, knowledge: Knowledge): Revision =>
  Math.max(notBefore, latest ? knowledge.at(began) : 0);

function getProblems(get: GetRecord, timeline: Timeline, knowledge: Knowledge): Violation[] {
  const floor = floorOf(get, knowledge);
  const due = timeline.lastOf(get.key, floor);
  if (!due) return [];
  if (get.found) {
    if (get.found.revision >= due.revision) return [];
    return [{ rule: 'stale read', message: `a get showed ${describe(get.found)} instead of ${describe(due)}` }];
  }
  if (due.value === undefined) return [];
  for (let next = timeline.nextOf(get.key, due.revision); next; next = timeline.nextOf(get.key, next.revision)) {
    if (next.value === undefined) return [];
  }
  if (timeline.mayHideDeletion(get.key, due.revision, Number.POSITIVE_INFINITY)) return [];
  return [{ rule: 'lost write', message: `a get found nothing instead of ${describe(due)}` }];
}

function revisionProblems(list: ListRecord, knowledge: Knowledge): Violation[] {
  const [revision = 0, ...others] = list.revisions;
  const problems: Violation[] = [];
  if (others.some((other) => other !== revision)) {
    problems.push({ rule: 'wrong state', message: `the chunks of a list are of ${list.revisions.join(', ')}` });
  }
  if (list.exactly !== undefined && list.exactly !== revision) {
    problems.push({ rule: 'wrong state', message: `a list at exactly ${list.exactly} is of ${revision}` });
  }
  const floor = floorOf(list, knowledge);
  if (revision < floor) {
    problems.push({ rule: 'stale read', message: `a list is of ${revision} when ${floor} was known` });
  }
  return problems;
}

/** Goes through the timeline once, and compares each list with the state at its revision. */
function stateProblems(lists: readonly ListRecord[], timeline: Timeline): Violation[] {
  const state = new Map<Key, Change>();
  let reached = 0;
  return [...lists]
    .sort((a, b) => revisionOf(a) - revisionOf(b))
    .flatMap((list) => {
      for (const change of timeline.between(reached, revisionOf(list))) {
        if (change.value === undefined) state.delete(change.key);
        else state.set(change.key, change);
      }
      reached = revisionOf(list);
      return differences(list, state, timeline);
    });
}

const revisionOf = ({ revisions }: ListRecord): Revision => revisions[0] ?? 0;

function differences(list: ListRecord, state: ReadonlyMap<Key, Change>, timeline: Timeline): Violation[] {
  const at = revisionOf(list);
  const shown = new Map(list.entries.map((entry) => [entry.key, entry]));
  const problems: Violation[] = [];
  if (shown.size < list.entries.length)
    problems.push({ rule: 'wrong state', message: `the list at ${at} repeats keys` });
  for (const entry of shown.values()) {
    const due = state.get(entry.key);
    if (due?.revision === entry.revision) continue;
    const last = timeline.lastOf(entry.key, at);
    // Everything in the list is part of the timeline, so the state differs by a later change.
    if (last && last.revision > entry.revision) {
      problems.push({
        rule: 'lost write',
        message: `the list at ${at} shows ${describe(entry)}, not ${describe(last)}`,
      });
    } else problems.push({ rule: 'wrong state', message: `the list at ${at} shows ${describe(entry)}` });
  }
  for (const due of state.values()) {
    if (shown.has(due.key) || timeline.mayHideDeletion(due.key, due.revision, at)) continue;
    problems.push({ rule: 'lost write', message: `the list at ${at} lacks ${describe(due)}` });
  }
  return problems;
}
