/** A sorted list of keyed items that knows positions: lookups, ranges and counts in logarithmic time. */
import type { Key } from '../contract/index.js';
import { compareKeys, isPlainlyOrdered } from './keys.js';
import { PrefixSums } from './prefix-sums.js';

/** Items per chunk. Inserting moves at most this many pointers, which costs about as much as finding the place. */
const CAPACITY = 256;

/**
 * The items lie in key order in chunks. An array of the chunks' first keys leads to the chunk, sums of the chunks'
 * sizes lead from keys to positions. An item costs about 10 bytes here, and a range is copied out chunk by chunk.
 */
export class OrderedIndex<T extends { readonly key: Key }> {
  #chunks: T[][] = [];
  #firsts: Key[] = [];
  /** Absent after the chunks have changed, until a position is asked for. */
  #sums: PrefixSums | undefined;
  #length = 0;
  /** Whether every key so far compares by `<`; the exact comparison is several times slower. */
  #plain = true;

  get length(): number {
    return this.#length;
  }

  get(key: Key): T | undefined {
    const chunk = this.#chunks[this.#chunkFor(key)];
    const item = chunk?.[this.#placeIn(chunk, key)];
    return item?.key === key ? item : undefined;
  }

  /** Adds an item, or replaces the one with its key and returns that. */
  put(item: T): T | undefined {
    if (this.#plain && !isPlainlyOrdered(item.key)) this.#plain = false;
    const at = this.#chunkFor(item.key);
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.#insertChunk(0, [item]);
      return undefined;
    }
    const place = this.#placeIn(chunk, item.key);
    const old = chunk[place];
    if (old?.key === item.key) {
      chunk[place] = item;
      return old;
    }
    this.#insert(at, chunk, place, item);
    return undefined;
  }

  /** Removes and returns the item with a key. */
  remove(key: Key): T | undefined {
    const at = this.#chunkFor(key);
    const chunk = this.#chunks[at];
    if (!chunk) return undefined;
    const place = this.#placeIn(chunk, key);
    const item = chunk[place];
    if (item?.key !== key) return undefined;
    chunk.splice(place, 1);
    this.#length--;
    this.#shrunk(at, chunk);
    return item;
  }

  /** How many items lie before a key. */
  rank(key: Key): number {
    const at = this.#chunkFor(key);
    const chunk = this.#chunks[at];
    return chunk ? this.#sizes().before(at) + this.#placeIn(chunk, key) : 0;
  }

  /** The items at the positions from `start` to before `end`. */
  slice(start: number, end: number): T[] {
    const { place, offset } = this.#sizes().locate(start);
    const first = this.#chunks[place]?.slice(offset, offset + end - start) ?? [];
    if (first.length >= end - start) return first;
    const parts: T[][] = [];
    let missing = end - start - first.length;
    for (let at = place + 1; missing > 0 && at < this.#chunks.length; at++) {
      const part = this.#chunks[at]?.slice(0, missing) ?? [];
      parts.push(part);
      missing -= part.length;
    }
    return first.concat(...parts);
  }

  /** The items from a position on, one by one; the index must not change meanwhile. */
  *from(position: number): Generator<T, undefined> {
    let { place, offset } = this.#sizes().locate(position);
    for (let chunk = this.#chunks[place]; chunk; chunk = this.#chunks[++place]) {
      for (; offset < chunk.length; offset++) {
        const item = chunk[offset];
        if (item) yield item;
      }
      offset = 0;
    }
    return undefined;
  }

  #insert(at: number, chunk: T[], place: number, item: T): void {
    if (place === CAPACITY && at === this.#chunks.length - 1) {
      // Keys that arrive in order fill their chunks instead of leaving them half empty.
      this.#insertChunk(at + 1, [item]);
      return;
    }
    chunk.splice(place, 0, item);
    this.#length++;
    this.#sums?.add(at, 1);
    if (place === 0) this.#firsts[at] = item.key;
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
    this.#chunks.splice(at, 0, chunk);
    this.#firsts.splice(at, 0, chunk[0]?.key ?? '');
    this.#length += chunk.length;
    this.#sums = undefined;
  }

  #shrunk(at: number, chunk: T[]): void {
    this.#sums?.add(at, -1);
    this.#firsts[at] = chunk[0]?.key ?? '';
    const next = this.#chunks[at + 1];
    if (chunk.length === 0) this.#removeChunk(at);
    else if (next && chunk.length + next.length <= CAPACITY / 2) {
      chunk.push(...next);
      this.#removeChunk(at + 1);
    }
  }

  #removeChunk(at: number): void {
    this.#chunks.splice(at, 1);
    this.#firsts.splice(at, 1);
    this.#sums = undefined;
  }

  /** Linear in the number of chunks where they have changed, which they do once in about a hundred insertions or removals. */
  #sizes(): PrefixSums {
    this.#sums ??= new PrefixSums(this.#chunks.map((chunk) => chunk.length));
    return this.#sums;
  }

  /** The last chunk that begins at or before a key; the first one for keys before all. */
  #chunkFor(key: Key): number {
    const firsts = this.#firsts;
    let low = 1;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(key, firsts[middle] ?? '')) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** Where a key is in a chunk, or would be. */
  #placeIn(chunk: readonly T[], key: Key): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(chunk[middle]?.key ?? '', key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(a: Key, b: Key): boolean {
    return this.#plain ? a < b : compareKeys(a, b) < 0;
  }
}
