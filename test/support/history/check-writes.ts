/** Holds writes against the timeline: each happened once or not at all, on the version that it was meant for. */
import type { Key } from '../../../runtime/contract/index.js';
import type { History, Violation, WriteRecord } from './records.js';
import { type Change, describe, type Timeline } from './timeline.js';

export function checkWrites({ writes }: History, timeline: Timeline): Violation[] {
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

/** Finds who made a deletion: the writer that got its revision, or one that got no answer. */
class Deletions {
  readonly #told = new Map<number, WriteRecord>();
  readonly #untold = new Map<Key, WriteRecord[]>();

  constructor(writes: readonly WriteRecord[]) {
    for (const write of writes) {
      if (write.value !== undefined || write.outcome === 'refused') continue;
      if (write.outcome === 'unknown') this.#untold.set(write.key, [...(this.#untold.get(write.key) ?? []), write]);
      else this.#told.set(write.outcome, write);
    }
  }

  take({ key, revision }: Change): WriteRecord | undefined {
    return this.#told.get(revision) ?? this.#untold.get(key)?.shift();
  }
}

function originProblems(change: Change, write: WriteRecord | undefined, twice: boolean): Violation[] {
  const what = describe(change);
  if (!write) return [{ rule: 'phantom', message: `nobody has written ${what}` }];
  if (write.key !== change.key) return [{ rule: 'phantom', message: `${what} was written to ${write.key}` }];
  if (write.outcome === 'refused') return [{ rule: 'phantom', message: `${what} is of a write that was refused` }];
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
      // Several writers got no answer, so it is a guess which of them made it: the version it named does not count.
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
