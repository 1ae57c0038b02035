/** Makes lists with lengths at the limits of schemas, with and without repeats. */
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { type Making, ROUGH } from './making.js';
import type { PlaceSchemas } from './place-schemas.js';
import { below } from './place-schemas.js';
import { keyOf } from './value-text.js';

/** Maximum number of items of a list. */
const MAX_ITEMS = 3_000;

/** Maximum number of items of a list that is made for a size in a rule. */
export const MAX_RULED = 200;

/** Returns lists for the schemas of a list. */
export function listsOf(making: Making, place: PlaceSchemas, items: PlaceSchemas, limit: number): readonly JsonValue[] {
  const first = making.smallest(items);
  if (first === undefined) return [[], ...(items.facets.length === 0 ? [['a'], [1], [{}]] : [])];
  const needed = neededItems(place);
  if (limit <= ROUGH) return [needed === 0 ? [] : [...differentItems(making, place, items, needed)], [clone(first)]];
  const some = making.values(items, Math.min(limit, 24));
  const lengths = lengthsOf(place).map((length) => differentItems(making, place, items, length));
  const least = needed > 1 ? differentItems(making, place, items, needed) : [];
  const single = some.map((item) => (needed > 1 ? [item, ...least.slice(1)] : [item]));
  const repeats = [[first, first], ...repeatedKeys(making, place, items)];
  const mixed = some.length > 1 && limit >= 24 ? [some.slice(0, 2), some.slice(0, 3)] : [];
  return [[], ...lengths, ...single, ...repeats, ...mixed].map((list): JsonValue => list.map((item) => clone(item)));
}

const neededItems = ({ facets }: PlaceSchemas): number =>
  Math.min(MAX_ITEMS, Math.max(0, ...facets.map(({ minItems = 0 }) => Number(minItems))));

function lengthsOf({ facets, sizes }: PlaceSchemas): readonly number[] {
  const limits = facets.flatMap(({ minItems, maxItems }) => [minItems, maxItems].flatMap((each) => each ?? []));
  const near = limits.map(Number).flatMap((limit) => [limit - 1, limit, limit + 1]);
  return [...new Set([1, 2, ...near, ...sizes.filter((size) => size <= MAX_RULED)])].filter(
    (length) => length > 0 && length <= MAX_ITEMS,
  );
}

/** Returns items that differ, if the list requires this: in their keys, or as a whole. */
export function differentItems(
  making: Making,
  place: PlaceSchemas,
  items: PlaceSchemas,
  length: number,
): readonly JsonValue[] {
  const first = making.smallest(items);
  if (first === undefined) return [];
  const keys = place.facets.flatMap((facet) => facet['x-kubernetes-list-map-keys'] ?? []);
  const found = new Map<string, JsonValue>();
  const put = (value: JsonValue): void => {
    if (found.size >= length || !isLike(value, first) || !making.fits(items, value)) return;
    found.set(keyOf(isObject(value) && keys.length > 0 ? keys.map((key) => value[key] ?? null) : value), value);
  };
  put(first);
  if (length > 1) for (const value of making.values(items, Math.min(4 * length, 60))) put(value);
  for (let at = 0; found.size < length && at < 2 * length; at++) put(variant(first, keys, at));
  const list = [...found.values()];
  while (list.length < length) list.push(first);
  return list;
}

const isLike = (one: JsonValue, other: JsonValue): boolean =>
  typeof one === typeof other && Array.isArray(one) === Array.isArray(other) && (one === null) === (other === null);

/** Returns a copy that differs by a number: appends it to a text, or adds it to a number. */
export function variant(value: JsonValue, keys: readonly string[], at: number): JsonValue {
  if (typeof value === 'string') return `${value}${at}`;
  if (typeof value === 'number') return value + at;
  if (!isObject(value)) return value;
  const names = keys.length > 0 ? keys : Object.keys(value);
  const copy: JsonObject = clone(value);
  const [name] = names.filter((each) => typeof value[each] === 'string' || typeof value[each] === 'number');
  if (name !== undefined) copy[name] = variant(value[name] ?? '', [], at);
  return copy;
}

/** Returns two items with the same keys that differ in another field. */
function repeatedKeys(making: Making, place: PlaceSchemas, items: PlaceSchemas): readonly JsonValue[][] {
  const keys = place.facets.flatMap((facet) => facet['x-kubernetes-list-map-keys'] ?? []);
  const first = making.smallest(items);
  if (keys.length === 0 || !isObject(first)) return [];
  const other = making
    .values(items, 24)
    .find(
      (value) => isObject(value) && keyOf(value) !== keyOf(first) && keys.every((key) => value[key] === first[key]),
    );
  const apart = keys.flatMap((key): JsonObject[] => {
    const value = making
      .values(below(items, { key }), 12)
      .find((each) => each !== first[key] && isLike(each, first[key] ?? ''));
    return value === undefined ? [] : [{ ...first, [key]: value }];
  });
  return [...(other === undefined ? [] : [[first, other]]), ...apart.map((item) => [first, item])];
}
