/** A map for entries that live no longer than a request. */

/** The fewest added entries before the map is replaced. */
const FEWEST_ADDED = 64;

/**
 * Replaces its map before V8 counts it as old. An old `Map` replaces its table as entries come and go. Each former
 * table keeps its entries until a full collection; here these are answered requests.
 */
export class BriefMap<K, V> {
  #entries = new Map<K, V>();
  #added = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    if (this.#added >= Math.max(FEWEST_ADDED, 2 * this.#entries.size)) {
      this.#entries = new Map(this.#entries);
      this.#added = 0;
    }
    this.#entries.set(key, value);
    this.#added++;
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  values(): Iterable<V> {
    return this.#entries.values();
  }
}
