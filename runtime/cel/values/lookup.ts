/** Reads items of lists and entries of maps. */
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

/** Returns an item by its index, from 0. The index may also be a uint or a whole double. */
export function indexList(list: CelList, index: CelValue): CelValue {
  const position = wholeNumber(index);
  const item = itemAt(list, position);
  return item === undefined ? fail(`index out of bounds: ${position}`) : item;
}

/** Works like `indexList`, with the words of release 1.27 for lists that expressions make. */
export function indexListEarly(list: CelList, index: CelValue): CelValue {
  if (list instanceof KeyedList) return indexList(list, index);
  const position = wholeNumber(index);
  const item = itemAt(list, position);
  return item === undefined ? fail(`index '${position}' out of range in list size '${itemsOf(list).length}'`) : item;
}

const itemAt = (list: CelList, position: number): CelValue | undefined =>
  position < 0 ? undefined : itemsOf(list)[position];

function wholeNumber(index: CelValue): number {
  if (isInt(index)) return Number(index);
  if (index instanceof Uint) return Number(index.value);
  if (index instanceof Double && Number.isInteger(index.value)) return index.value;
  return fail(`unsupported index type in list`);
}

/** Returns the value of a key. Throws an error if it is absent. */
export function indexMap(map: CelMap, key: CelValue): CelValue {
  const value = entryOf(map, key);
  return value === undefined ? fail(`no such key: ${describe(key)}`) : value;
}

/** Computes `a in b`: whether a list has an item, or a map has a key. */
export function contains(value: CelValue, container: CelValue): boolean {
  if (container instanceof CelMap) return entryOf(container, value) !== undefined;
  if (!isList(container)) return fail('no such overload');
  return itemsOf(container).some((item) => equal(value, item));
}

/**
 * Joins two lists. A set adds only the items that it does not have. A keyed list adds new items, and replaces items
 * with the same keys.
 */
export function addLists(a: CelList, b: CelList): CelList {
  listLimit(itemsOf(a).length + itemsOf(b).length);
  if (!(a instanceof KeyedList)) return [...itemsOf(a), ...itemsOf(b)];
  const index = indexOf(a);
  for (const item of itemsOf(b)) if (a.keys !== undefined || index.find(item) === undefined) index.set(item);
  return new KeyedList(index.items, a.keys);
}

/** Returns a value as messages print it. */
export function describe(value: CelValue): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Double || value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof TypeValue) return value.name;
  return 'value';
}
