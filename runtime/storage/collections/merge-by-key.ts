/** Merges sequences that are in key order. */
import type { Key } from '../../contract/index.js';
import { compareKeys, isPlainlyOrdered } from '../keys.js';
import { SortedChunks } from './sorted-chunks.js';

interface Keyed {
  readonly key: Key;
}

/** The items of two sequences under one key; at least one of them has an item. */
export interface Pair<A, B> {
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

  /** Takes note of a key before it is compared. */
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
