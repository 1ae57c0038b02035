/** The highest revision that the clients together knew, at each moment. */
import type { Revision } from '../../../runtime/contract/index.js';
import type { History, Moment } from './records.js';

export class Knowledge {
  /** In the order of moments, each with the highest revision until then. */
  readonly #steps: (readonly [at: Moment, revision: Revision])[] = [];

  constructor({ writes, gets, lists, watches }: History) {
    const told: (readonly [Moment, Revision])[] = [
      ...writes.flatMap(({ ended, outcome }) => (typeof outcome === 'number' ? [[ended, outcome] as const] : [])),
      ...gets.flatMap(({ ended, found }) => (found ? [[ended, found.revision] as const] : [])),
      ...lists.flatMap(({ ended, revisions }) => revisions.map((revision) => [ended, revision] as const)),
      ...watches.flatMap(({ changes }) => changes.map(({ at, revision }) => [at, revision] as const)),
    ];
    let highest = 0;
    for (const [at, revision] of told.sort(([a], [b]) => a - b)) {
      highest = Math.max(highest, revision);
      this.#steps.push([at, highest]);
    }
  }

  /** Returns the highest revision that any client knew before a moment. */
  at(moment: Moment): Revision {
    let [low, high] = [0, this.#steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#steps[middle]?.[0] ?? 0) < moment) low = middle + 1;
      else high = middle;
    }
    return this.#steps[low - 1]?.[1] ?? 0;
  }
}
