/** The nodes that pods were given just now, which the pods themselves may not say yet. */
import { keyOf } from '../../client/index.js';
import type { Pod } from './types.js';

export class Assignments {
  readonly #given = new Map<string, string>();

  give(key: string, node: string): void {
    this.#given.set(key, node);
  }

  release(key: string): void {
    this.#given.delete(key);
  }

  /** How many pods each node has. */
  count(pods: Iterable<Pod>): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const pod of pods) {
      const node = pod.spec?.nodeName ?? this.#given.get(keyOf(pod));
      if (node !== undefined) counts.set(node, (counts.get(node) ?? 0) + 1);
    }
    return counts;
  }
}
