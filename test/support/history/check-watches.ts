/** Checks watches against the timeline: every change after their start, once, in order and by its right name. */
import type { History, Violation, WatchedChange, WatchRecord } from './records.js';
import { describe, type Timeline } from './timeline.js';

export const checkWatches = ({ watches }: History, timeline: Timeline): Violation[] =>
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
