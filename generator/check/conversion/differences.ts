/** Finds the places where an object changed after a conversion there and back. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { getOwn, isObject } from '../../../runtime/objects/guards.js';
import { formatPath, type Segment } from '../../../runtime/schema/index.js';

export interface Comparing {
  /** Paths of lists in any order. */
  readonly unordered: ReadonlySet<string>;
  /** Whether new fields are allowed, such as defaults of the stored version. */
  readonly mayGain: boolean;
}

type Value = JsonValue | undefined;

/** A place as `spec.rules[].host`, with the value before and after. */
export interface Difference {
  readonly path: string;
  readonly before: Value;
  readonly after: Value;
}

/** Yields each different place once, at the first item that shows it; if a whole part is gone, its topmost place. */
export function differences(before: JsonObject, after: JsonObject, comparing: Comparing): readonly Difference[] {
  const found = new Map<string, Difference>();
  compare(before, after, [], comparing, found);
  return [...found.values()];
}

function compare(
  before: Value,
  after: Value,
  path: readonly Segment[],
  comparing: Comparing,
  found: Map<string, Difference>,
): void {
  if (equal(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const own = getOwn(before, key);
      if (comparing.mayGain && own === undefined) continue;
      compare(own, getOwn(after, key), [...path, { key }], comparing, found);
    }
    return;
  }
  const place = formatPath(path);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const [left, right] = comparing.unordered.has(place) ? [sorted(before), sorted(after)] : [before, after];
    for (const [at, item] of left.entries()) compare(item, right[at], [...path, 'each'], comparing, found);
    return;
  }
  if (!found.has(place)) found.set(place, { path: place, before, after });
}

function sorted(items: readonly JsonValue[]): readonly JsonValue[] {
  const keyed = items.map((item) => [sortedJson(item), item] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}

/** Returns JSON with sorted keys. */
function sortedJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`;
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
