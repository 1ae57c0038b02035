/** The place of a value in an object: the names and indexes that lead to it. */
export type Place = readonly (string | number)[];

/** Returns a unique text for a place. */
export const keyOfPlace = (place: Place): string => JSON.stringify(place);

/** Returns an own member of a list or an object; `undefined` for a missing member, and for other values. */
export function memberOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Returns the value at a place. */
export const valueAt = (value: unknown, place: Place): unknown => place.reduce(memberOf, value);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a copy of a value with another value at a place; `undefined` removes it. Creates missing objects and lists on
 * the way. The copy shares all other parts with the value.
 */
export function withValue(value: unknown, place: Place, next: unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    if (rest.length === 0 && next === undefined) list.splice(step, 1);
    else list[step] = withValue(list[step], rest, next);
    return list;
  }
  const entries = new Map(isRecord(value) ? Object.entries(value) : []);
  if (rest.length === 0 && next === undefined) entries.delete(step);
  else entries.set(step, withValue(entries.get(step), rest, next));
  return Object.fromEntries(entries);
}

/** Returns a copy of a value in which the item at a place moves one step down in its list, or up. */
export function withMoved(value: unknown, place: Place, by: 1 | -1): unknown {
  const list = valueAt(value, place.slice(0, -1));
  const at = place.at(-1);
  if (!Array.isArray(list) || typeof at !== 'number' || at + by < 0 || at + by >= list.length) return value;
  const items: unknown[] = [...list];
  items.splice(at + by, 0, ...items.splice(at, 1));
  return withValue(value, place.slice(0, -1), items);
}

/** Returns a copy of a value with another name for the key at a place, in the same position. */
export function withRenamed(value: unknown, place: Place, name: string): unknown {
  const map = valueAt(value, place.slice(0, -1));
  if (!isRecord(map) || Object.hasOwn(map, name)) return value;
  const entries = Object.entries(map).map(([key, inner]) => [key === place.at(-1) ? name : key, inner]);
  return withValue(value, place.slice(0, -1), Object.fromEntries(entries));
}
