/** The list functions added after release 1.27: `slice`, `flatten`, `sort` and others. */
import { dyn, int, list, param } from '../check/types.js';
import type { Library } from '../environment.js';
import { listLimit } from '../values/bounds.js';
import { compare, equal, ItemIndex } from '../values/equality.js';
import { fail } from '../values/error.js';
import { type CelList, type CelValue, type Int, isList, itemsOf, typeNameOf } from '../values/value.js';
import { declare, member, overload } from './declare.js';
import { comparable } from './lists.js';

const a = param('T');

const nested = list(list(a));

export const laterListsLibrary: Library = {
  name: 'laterLists',
  macros: ['sorting'],
  functions: [
    declare('slice', member('list_slice', [list(a), int, int], list(a), slice)),
    declare(
      'flatten',
      member('list_flatten', [nested], list(a), (values: CelList) => flatten(values)),
      member('list_flatten_int', [list(dyn), int], list(dyn), (values: CelList, levels: Int) =>
        flatten(values, levels),
      ),
    ),
    declare('lists.range', overload('lists_range', [int], list(int), range)),
    declare(
      'reverse',
      member('list_reverse', [list(a)], list(a), (values: CelList) => itemsOf(values).toReversed()),
    ),
    declare('distinct', member('list_distinct', [list(a)], list(a), distinct)),
    declare('sort', ...comparable.map(([id, type]) => member(`list_sort_${id}`, [list(type)], list(type), sort))),
    declare(
      '@sortByAssociatedKeys',
      ...comparable.map(([id, type]) => member(`list_sort_by_${id}`, [list(a), list(type)], list(a), sortBy)),
    ),
  ],
};

function slice(values: CelList, from: Int, to: Int): CelList {
  const items = itemsOf(values);
  const [start, end] = [Number(from), Number(to)];
  const refuse = (why: string) => fail(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0 || end < 0) return refuse('negative indexes not supported');
  if (start > end) return refuse('start index must be less than or equal to end index');
  return end > items.length ? refuse(`list is length ${items.length}`) : items.slice(start, end);
}

/** Replaces lists in a list by their items, level by level. */
function flatten(values: CelList, levels: Int = 1): CelList {
  if (levels < 0) return fail('level must be non-negative');
  let items = itemsOf(values);
  for (let level = 0; level < levels && items.some(isList); level++) {
    listLimit(items.reduce<number>((sum, item) => sum + (isList(item) ? itemsOf(item).length : 1), 0));
    items = items.flatMap((item) => (isList(item) ? itemsOf(item) : [item]));
  }
  return items;
}

function range(count: Int): CelList {
  if (count < 0) return fail(`lists.range: size must be non-negative, got ${count}`);
  listLimit(Number(count));
  return Array.from({ length: Number(count) }, (_, i) => i);
}

/** Returns the items without repeats; the first of equal items stays. */
function distinct(values: CelList): CelList {
  const index = new ItemIndex(undefined, equal);
  for (const item of itemsOf(values)) if (index.find(item) === undefined) index.set(item);
  return index.items;
}

/** Sorts items by keys, one for each item. Items with equal keys stay in their order. */
function sortBy(values: CelList, keys: CelList): CelList {
  const sortKeys = itemsOf(keys);
  const [first] = sortKeys;
  if (first === undefined) return values;
  const type = typeNameOf(first);
  if (sortKeys.some((key) => typeNameOf(key) !== type)) return fail('list elements must have the same type');
  const items = itemsOf(values);
  const keyAt = (i: number): CelValue => sortKeys[i] ?? null;
  return items
    .map((_, i) => i)
    .sort((i, j) => compare(keyAt(i), keyAt(j)))
    .map((i) => items[i] ?? null);
}

function sort(values: CelList): CelList {
  return sortBy(values, values);
}
