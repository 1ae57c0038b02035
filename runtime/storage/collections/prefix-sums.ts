/** Running sums over a list of counts that change one at a time: a Fenwick tree. */

export class PrefixSums {
  /** One-based: node `i` sums the counts of the `i & -i` places that end with place `i - 1`. */
  readonly #nodes: number[];

  /** Linear in the number of counts. */
  constructor(counts: readonly number[]) {
    const nodes = [0, ...counts];
    for (let node = 1; node < nodes.length; node++) {
      const parent = node + (node & -node);
      if (parent < nodes.length) nodes[parent] = (nodes[parent] ?? 0) + (nodes[node] ?? 0);
    }
    this.#nodes = nodes;
  }

  add(place: number, delta: number): void {
    for (let node = place + 1; node < this.#nodes.length; node += node & -node) {
      this.#nodes[node] = (this.#nodes[node] ?? 0) + delta;
    }
  }

  /** The sum of the counts before a place. */
  before(place: number): number {
    let sum = 0;
    for (let node = place; node > 0; node -= node & -node) sum += this.#nodes[node] ?? 0;
    return sum;
  }

  /**
   * The place into whose count a position falls, and how far into it; behind the last place for positions beyond all.
   */
  locate(position: number): { readonly place: number; readonly offset: number } {
    let place = 0;
    let offset = position;
    for (let step = 1 << (31 - Math.clz32(this.#nodes.length)); step > 0; step >>= 1) {
      const sum = this.#nodes[place + step];
      if (sum !== undefined && sum <= offset) {
        place += step;
        offset -= sum;
      }
    }
    return { place, offset };
  }
}
