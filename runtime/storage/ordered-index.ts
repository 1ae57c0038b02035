/** Sorted lists with positions: lookups, ranges and counts in logarithmic time. Also merges lists by key. */
import type { Key } from '../contract/index.js';
import { compareKeys, isPlainlyOrdered } from './keys.js';

/** Items per chunk. An insertion moves at most this many pointers, which costs about as much as finding the place. */
const CAPACITY = 256;

/**
 * Sorts items by their place: the value that orders them. No two items have the same place. Keeps the items in chunks.
 * An array with the first place of each chunk leads to the chunk, and sums of the chunks' sizes lead from places to
 * positions. An item costs about 10 bytes here. A range is copied chunk by chunk.
 */
export abstract class SortedChunks<T extends object, P> {
  #chunks: T[][] = [];
  #firsts: P[] = [];
  /** Absent after a change of the chunks, until a position is needed. */
  #sums: PrefixSums | undefined;
  #length = 0;

  /** Returns the place of an item in the order. */
  protected abstract placeOf(item: T): P;

  protected abstract precedes(a: P, b: P): boolean;

  get length(): number {
    return this.#length;
  }

  get(place: P): T | undefined {
    const chunk = this.#chunks[this.#chunkFor(place)];
    return chunk && this.#itemAt(chunk, this.#offsetIn(chunk, place), place);
  }

  /** Adds an item. Replaces and returns the item with the same place, if there is one. */
  put(item: T): T | undefined {
    const place = this.placeOf(item);
    const at = this.#chunkFor(place);
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.#insertChunk(0, [item]);
      return undefined;
    }
    const offset = this.#offsetIn(chunk, place);
    const old = this.#itemAt(chunk, offset, place);
    if (old) chunk[offset] = item;
    else this.#insert(at, chunk, offset, item);
    return old;
  }

  /** Removes the item with a place, and returns it. */
  remove(place: P): T | undefined {
    const at = this.#chunkFor(place);
    const chunk = this.#chunks[at];
    if (!chunk) return undefined;
    const offset = this.#offsetIn(chunk, place);
    const item = this.#itemAt(chunk, offset, place);
    if (!item) return undefined;
    chunk.splice(offset, 1);
    this.#length--;
    this.#shrunk(at, chunk);
    return item;
  }

  /** Adds items that are in order and come after all present ones. This is faster than adding one by one. */
  append(items: readonly T[]): void {
    for (let start = 0; start < items.length; start += CAPACITY) {
      const chunk = items.slice(start, start + CAPACITY);
      const [first] = chunk;
      if (!first) return;
      this.#chunks.push(chunk);
      this.#firsts.push(this.placeOf(first));
      this.#length += chunk.length;
    }
    this.#sums = undefined;
  }

  /** Counts the items before a place. */
  rank(place: P): number {
    const at = this.#chunkFor(place);
    const chunk = this.#chunks[at];
    return chunk ? this.#sizes().before(at) + this.#offsetIn(chunk, place) : 0;
  }

  /** Returns the items from position `start` up to but not including `end`. */
  slice(start: number, end: number): T[] {
    const items: T[] = [];
    return items.concat(...this.pieces(start, end));
  }

  /** Yields the same items in pieces, without copying them if possible. The list must not change meanwhile. */
  *pieces(start: number, end: number): Generator<readonly T[], undefined> {
    let { place: at, offset } = this.#sizes().locate(start);
    let missing = end - start;
    for (let chunk = this.#chunks[at]; chunk && missing > 0; chunk = this.#chunks[++at]) {
      const whole = offset === 0 && chunk.length <= missing;
      const piece = whole ? chunk : chunk.slice(offset, offset + missing);
      yield piece;
      missing -= piece.length;
      offset = 0;
    }
    return undefined;
  }

  #insert(at: number, chunk: T[], offset: number, item: T): void {
    if (offset === CAPACITY && at === this.#chunks.length - 1) {
      // Items that arrive in order fill their chunks instead of leaving them half empty.
      this.#insertChunk(at + 1, [item]);
      return;
    }
    chunk.splice(offset, 0, item);
    this.#length++;
    this.#sums?.add(at, 1);
    if (offset === 0) this.#firsts[at] = this.placeOf(item);
    if (chunk.length > CAPACITY) this.#split(at, chunk);
  }

  #split(at: number, chunk: T[]): void {
    const half = chunk.length >> 1;
    const right = chunk.slice(half);
    this.#chunks[at] = chunk.slice(0, half);
    this.#length -= right.length;
    this.#insertChunk(at + 1, right);
  }

  #insertChunk(at: number, chunk: T[]): void {
    const [first] = chunk;
    if (!first) return;
    this.#chunks.splice(at, 0, chunk);
    this.#firsts.splice(at, 0, this.placeOf(first));
    this.#length += chunk.length;
    this.#sums = undefined;
  }

  #shrunk(at: number, chunk: T[]): void {
    this.#sums?.add(at, -1);
    const [first] = chunk;
    if (!first) {
      this.#removeChunk(at);
      return;
    }
    this.#firsts[at] = this.placeOf(first);
    const next = this.#chunks[at + 1];
    if (next && chunk.length + next.length <= CAPACITY / 2) {
      chunk.push(...next);
      this.#removeChunk(at + 1);
    }
  }

  #removeChunk(at: number): void {
    this.#chunks.splice(at, 1);
    this.#firsts.splice(at, 1);
    this.#sums = undefined;
  }

  /**
   * Sums the sizes. Linear in the number of chunks, after they have changed: this happens with about one in a hundred
   * insertions or removals.
   */
  #sizes(): PrefixSums {
    this.#sums ??= new PrefixSums(this.#chunks.map((chunk) => chunk.length));
    return this.#sums;
  }

  /** Finds the last chunk that begins at or before a place; the first chunk if the place is before all. */
  #chunkFor(place: P): number {
    const firsts = this.#firsts;
    let low = 1;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = firsts[middle];
      if (first !== undefined && this.precedes(place, first)) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** Finds the offset of a place in a chunk, or the offset at which it would be inserted. */
  #offsetIn(chunk: readonly T[], place: P): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = chunk[middle];
      if (item && this.precedes(this.placeOf(item), place)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Returns the item at an offset from `#offsetIn` if it has this place. It cannot come before the place, so one
   * comparison is enough.
   */
  #itemAt(chunk: readonly T[], offset: number, place: P): T | undefined {
    const item = chunk[offset];
    return item && !this.precedes(place, this.placeOf(item)) ? item : undefined;
  }
}

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

  /** Returns the sum of the counts before a place. */
  before(place: number): number {
    let sum = 0;
    for (let node = place; node > 0; node -= node & -node) sum += this.#nodes[node] ?? 0;
    return sum;
  }

  /**
   * Finds the place with the count that includes a position, and the offset within that count; the last place if the
   * position is too high.
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

interface Keyed {
  readonly key: Key;
}

/** The items of two sequences with the same key; at least one is present. */
interface Pair<A, B> {
  readonly left: A | undefined;
  readonly right: B | undefined;
}

/** Merges both sequences into one, by key. */
export function* mergeByKey<A extends Keyed, B extends Keyed>(
  lefts: Iterator<A>,
  rights: Iterator<B>,
): Generator<Pair<A, B>, undefined> {
  let left = next(lefts);
  let right = next(rights);
  while (left || right) {
    const order = !left ? 1 : !right ? -1 : compareKeys(left.key, right.key);
    yield { left: order <= 0 ? left : undefined, right: order >= 0 ? right : undefined };
    if (order <= 0) left = next(lefts);
    if (order >= 0) right = next(rights);
  }
  return undefined;
}

/** Merges several sequences without common keys into one. Each step costs the logarithm of their number. */
export function* mergeAll<T extends Keyed>(sequences: readonly Iterator<T>[]): Generator<T, undefined> {
  const half = sequences.length >> 1;
  const [only] = sequences;
  if (half > 0) {
    for (const { left, right } of mergeByKey(mergeAll(sequences.slice(0, half)), mergeAll(sequences.slice(half)))) {
      const item = left ?? right;
      if (item) yield item;
    }
    return undefined;
  }
  for (let item = only && next(only); only && item; item = next(only)) yield item;
  return undefined;
}

function next<T>(items: Iterator<T>): T | undefined {
  const step = items.next();
  return step.done ? undefined : step.value;
}

export class KeyOrder {
  /** True while every key so far compares by `<`; the exact comparison is several times slower. */
  #plain = true;

  /** Notes a key before it is compared. */
  admit(key: Key): void {
    if (this.#plain && !isPlainlyOrdered(key)) this.#plain = false;
  }

  /** Checks whether one key comes before another. At least one of them must have been admitted. */
  precedes(a: Key, b: Key): boolean {
    return this.#plain ? a < b : compareKeys(a, b) < 0;
  }
}

export class OrderedIndex<T extends { readonly key: Key }> extends SortedChunks<T, Key> {
  readonly #order = new KeyOrder();

  override put(item: T): T | undefined {
    this.#order.admit(item.key);
    return super.put(item);
  }

  override append(items: readonly T[]): void {
    for (const { key } of items) this.#order.admit(key);
    super.append(items);
  }

  protected override placeOf(item: T): Key {
    return item.key;
  }

  protected override precedes(a: Key, b: Key): boolean {
    return this.#order.precedes(a, b);
  }
}
