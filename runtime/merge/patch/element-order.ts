/** Orders the items of a merged list: items of the patch as in the patch, other items as before. */
import type { JsonValue } from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';
import { canonicalJson } from '../order.js';

/**
 * Identifies an item by its merge key, or by its value if its list has no merge key. Returns `undefined` for an item
 * without the key.
 */
export function itemIdentity(item: JsonValue, mergeKey: string | undefined): string | undefined {
  if (mergeKey === undefined) return canonicalJson(item);
  const key = isObject(item) ? getOwn(item, mergeKey) : undefined;
  return key === undefined ? undefined : canonicalJson(key);
}

/** The first position of each item in a list. */
type Positions = ReadonlyMap<string, number>;

function positionsOf(list: readonly JsonValue[], mergeKey: string | undefined): Positions {
  const positions = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const identity = itemIdentity(item, mergeKey);
    if (identity !== undefined && !positions.has(identity)) positions.set(identity, index);
  }
  return positions;
}

/** An item with its positions in the relevant orders. */
interface Placed {
  readonly item: JsonValue;
  readonly inPatch: number | undefined;
  readonly inLive: number | undefined;
}

/**
 * Returns the items of `merged` in their final order. Items in `patchOrder` have that order. Other items keep their
 * `liveOrder` and, if possible, the places between their former neighbors.
 */
export function orderItems(
  merged: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  liveOrder: readonly JsonValue[],
  mergeKey: string | undefined,
): JsonValue[] {
  const inPatch = positionsOf(patchOrder, mergeKey);
  const inLive = positionsOf(liveOrder, mergeKey);
  const placed = merged.map((item): Placed => {
    const identity = itemIdentity(item, mergeKey) ?? '';
    return { item, inPatch: inPatch.get(identity), inLive: inLive.get(identity) };
  });
  const patched = placed.filter((place) => place.inPatch !== undefined).sort(by((place) => place.inPatch));
  const others = placed.filter((place) => place.inPatch === undefined).sort(by((place) => place.inLive));
  return interleave(others, patched);
}

/** Returns a comparison by position. Items without a position come last. */
function by(position: (place: Placed) => number | undefined): (a: Placed, b: Placed) => number {
  const rank = (place: Placed): number => position(place) ?? Number.MAX_SAFE_INTEGER;
  return (a, b) => rank(a) - rank(b);
}

/** Merges two ordered lists. An item of `others` comes before an item of `patched` only if it did in the live list. */
function interleave(others: readonly Placed[], patched: readonly Placed[]): JsonValue[] {
  const result: JsonValue[] = [];
  let next = 0;
  for (const place of patched) {
    for (; next < others.length; next++) {
      const other = others[next];
      if (other?.inLive === undefined || place.inLive === undefined || other.inLive >= place.inLive) break;
      result.push(other.item);
    }
    result.push(place.item);
  }
  return result.concat(others.slice(next).map((place) => place.item));
}
