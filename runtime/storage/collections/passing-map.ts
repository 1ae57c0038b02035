/** A map for what comes and goes with every request, such as the changes that are under way. */

/** Entries that may go, beside as many as there are, before a new table is begun. */
const FEW = 32;

/**
 * The table of a JavaScript `Map` in V8 keeps pointing to the one that it was replaced by when it was full. Where one of
 * them grows old before it dies, all that follow it stay, with everything that ever was in them, until the whole heap is
 * collected: a map of changes under way then keeps the requests that made them. Here no table leads to the next.
 */
export class PassingMap<K, V> {
  #map = new Map<K, V>();
  #gone = 0;

  get size(): number {
    return this.#map.size;
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  set(key: K, value: V): void {
    this.#map.set(key, value);
  }

  delete(key: K): void {
    if (this.#map.delete(key) && ++this.#gone > this.#map.size + FEW) this.#renew();
  }

  values(): IterableIterator<V> {
    return this.#map.values();
  }

  #renew(): void {
    this.#map = new Map(this.#map);
    this.#gone = 0;
  }
}
