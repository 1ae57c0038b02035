/** Finds what in a history the promises of a store rule out. */
import { checkReads } from './check-reads.js';
import { checkWatches } from './check-watches.js';
import { checkWrites } from './check-writes.js';
import { Knowledge } from './knowledge.js';
import type { History, Violation } from './records.js';
import { Timeline } from './timeline.js';

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

/** Finds writes with a revision that somebody knew before they began. */
function lateRevisions({ writes }: History, knowledge: Knowledge): Violation[] {
  return writes.flatMap(({ key, outcome, began }) => {
    const known = knowledge.at(began);
    if (typeof outcome !== 'number' || outcome > known) return [];
    return [{ rule: 'revision went back', message: `a write of ${key} got ${outcome} when ${known} was known` }];
  });
}
