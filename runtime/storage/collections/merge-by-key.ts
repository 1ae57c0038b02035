/** Merges sequences that are in key order. */
import type { Key } from '../../contract/index.js';
import { compareKeys } from '../keys.js';

interface Keyed {
  readonly key: Key;
}

/** The items of two sequences under one key; at least one of them has an item. */
export interface Pair<A, B> {
  readonly left: A | undefined;
  readonly right: B | undefined;
}

/** Both sequences in one, by key. */
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

/** Several sequences without common keys in one. Each step costs the logarithm of their number. */
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
