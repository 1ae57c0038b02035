/** Holds gets and lists against the timeline: as fresh as asked for, and exactly the state of their revision. */
import type { Key, Revision } from '../../../runtime/contract/index.js';
import type { Knowledge } from './knowledge.js';
import type { GetRecord, History, ListRecord, Violation } from './records.js';
import { type Change, describe, type Timeline } from './timeline.js';

export const checkReads = (history: History, timeline: Timeline, knowledge: Knowledge): Violation[] => [
  ...history.gets.flatMap((get) => getProblems(get, timeline, knowledge)),
  ...history.lists.flatMap((list) => revisionProblems(list, knowledge)),
  ...stateProblems(history.lists, timeline),
];

/** Returns the revision that an answer must not be older than. */
const floorOf = ({ latest, notBefore = 0, began }: GetRecord | ListRecord, knowledge: Knowledge): Revision =>
  Math.max(notBefore, latest ? knowledge.at(began) : 0);

function getProblems(get: GetRecord, timeline: Timeline, knowledge: Knowledge): Violation[] {
  const floor = floorOf(get, knowledge);
  const due = timeline.lastOf(get.key, floor);
  if (!due) return [];
  if (get.found) {
    if (get.found.revision >= due.revision) return [];
    return [{ rule: 'stale read', message: `a get showed ${describe(get.found)} where there was ${describe(due)}` }];
  }
  if (due.value === undefined) return [];
  for (let next = timeline.nextOf(get.key, due.revision); next; next = timeline.nextOf(get.key, next.revision)) {
    if (next.value === undefined) return [];
  }
  if (timeline.mayHideDeletion(get.key, due.revision, Number.POSITIVE_INFINITY)) return [];
  return [{ rule: 'lost write', message: `a get found nothing where there was ${describe(due)}` }];
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

/** Goes through the timeline once, and compares each list with the state when its revision is reached. */
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
    // All that it shows is part of the timeline, so the state differs by something that came after it.
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
