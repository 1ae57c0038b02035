/** Looks into lists and maps. */
import { listLimit } from './bounds.js';
import { equal, indexOf } from './equality.js';
import { fail } from './error.js';
import { entryOf } from './maps.js';
import { formatDuration, formatTimestamp } from './time.js';
import {
  type CelList,
  CelMap,
  type CelValue,
  Double,
  Duration,
  isInt,
  isList,
  itemsOf,
  KeyedList,
  Timestamp,
  TypeValue,
  Uint,
} from './value.js';

/** An item by its index, counted from 0; uints and whole doubles count as well. */
export function indexList(list: CelList, index: CelValue): CelValue {
  const items = itemsOf(list);
  const position = wholeNumber(index);
  const item = items[position];
  if (position >= 0 && item !== undefined) return item;
  if (list instanceof KeyedList) return fail(`index out of bounds: ${position}`);
  return fail(`index '${position}' out of range in list size '${items.length}'`);
}

function wholeNumber(index: CelValue): number {
  if (isInt(index)) return Number(index);
  if (index instanceof Uint) return Number(index.value);
  if (index instanceof Double && Number.isInteger(index.value)) return index.value;
  return fail(`unsupported index type in list`);
}

/** The value of a key. */
export function indexMap(map: CelMap, key: CelValue): CelValue {
  const value = entryOf(map, key);
  return value === undefined ? fail(`no such key: ${describe(key)}`) : value;
}

/** `a in b`: of a list one of its items, of a map one of its keys. */
export function contains(value: CelValue, container: CelValue): boolean {
  if (container instanceof CelMap) return entryOf(container, value) !== undefined;
  if (!isList(container)) return fail('no such overload');
  return itemsOf(container).some((item) => equal(value, item));
}

/** Joins two lists; one that is a set or merged by keys takes in only what it lacks. */
export function addLists(a: CelList, b: CelList): CelList {
  listLimit(itemsOf(a).length + itemsOf(b).length);
  if (!(a instanceof KeyedList)) return [...itemsOf(a), ...itemsOf(b)];
  const index = indexOf(a);
  for (const item of itemsOf(b)) if (a.keys !== undefined || index.find(item) === undefined) index.set(item);
  return new KeyedList(index.items, a.keys);
}

/** A value as messages show it. */
export function describe(value: CelValue): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Double || value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof TypeValue) return value.name;
  return 'value';
}
