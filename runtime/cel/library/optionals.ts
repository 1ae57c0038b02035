/** Values that may be absent: `optional.of`, `a.?b`, `orValue` and related functions. */
import { bool, list, map, opaque, optional, param } from '../check/types.js';
import type { Library } from '../environment.js';
import { fail } from '../values/error.js';
import { EntryMap, entryOf } from '../values/maps.js';
import {
  type CelList,
  CelMap,
  type CelValue,
  Double,
  Duration,
  isList,
  itemsOf,
  none,
  Optional,
  Timestamp,
  Uint,
} from '../values/value.js';
import { declare, member, overload } from './declare.js';
import { optionalIndexing } from './operators.js';

const key = param('K');
const value = param('V');

/** `cel.bind(name, value, body)`. */
export const bindingsLibrary: Library = { name: 'bindings', functions: [], macros: ['bindings'] };

function copy(source: CelMap, target: EntryMap): EntryMap {
  for (const name of source.keys()) target.insert(name, entryOf(source, name) ?? null);
  return target;
}

/**
 * Macros with a variable for the index or key and one for the value: `list.all(i, v, …)`, `map.transformMap(k, v, …)`.
 */
export const twoVariablesLibrary: Library = {
  name: 'twoVariables',
  macros: ['twoVariables'],
  functions: [
    declare(
      'cel.@mapInsert',
      overload(
        '@mapInsert_map_map',
        [map(key, value), map(key, value)],
        map(key, value),
        (into: CelMap, from: CelMap) => copy(from, copy(into, new EntryMap())),
      ),
      overload(
        '@mapInsert_map_key_value',
        [map(key, value), key, value],
        map(key, value),
        (into: CelMap, name: CelValue, item: CelValue) => copy(into, new EntryMap()).insert(name, item),
      ),
    ),
  ],
};

const a = param('T');

/** The beginning of the year 1, which means no time. */
const zeroTime = -62_135_596_800_000_000_000n;

/** Returns whether a value is zero, empty, false or null. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (typeof value !== 'object') return false;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === zeroTime;
  if (isList(value)) return itemsOf(value).length === 0;
  if (value instanceof CelMap) return value.size === 0;
  return value instanceof Optional && value.value === undefined;
}

export const optionalsLibrary: Library = {
  name: 'optionals',
  macros: ['optionals'],
  optionalSyntax: true,
  types: { optional_type: opaque('optional_type') },
  functions: [
    declare(
      'optional.of',
      overload('optional_of', [a], optional(a), (value: CelValue) => new Optional(value)),
    ),
    declare(
      'optional.ofNonZeroValue',
      overload('optional_ofNonZeroValue', [a], optional(a), (value: CelValue) =>
        isZero(value) ? none : new Optional(value),
      ),
    ),
    declare(
      'optional.none',
      overload('optional_none', [], optional(a), () => none),
    ),
    declare(
      'hasValue',
      member('optional_hasValue', [optional(a)], bool, ({ value }: Optional) => value !== undefined),
    ),
    declare(
      'value',
      member(
        'optional_value',
        [optional(a)],
        a,
        ({ value }: Optional) => value ?? (value === null ? null : fail('optional.none() dereference')),
      ),
    ),
    declare(
      'or',
      member('optional_or_optional', [optional(a), optional(a)], optional(a), (first: Optional, second: CelValue) =>
        first.value === undefined ? second : first,
      ),
    ),
    declare(
      'orValue',
      member('optional_orValue_value', [optional(a), a], a, (first: Optional, second: CelValue) =>
        first.value === undefined ? second : first.value,
      ),
    ),
    ...optionalIndexing,
  ],
};

const end = (at: 0 | -1) => (values: CelList) => {
  const item = itemsOf(values).at(at);
  return item === undefined ? none : new Optional(item);
};

/** Functions from lists to optional values, and back. */
export const optionalListsLibrary: Library = {
  name: 'optionalLists',
  functions: [
    declare('first', member('list_first', [list(a)], optional(a), end(0))),
    declare('last', member('list_last', [list(a)], optional(a), end(-1))),
    declare('optional.unwrap', overload('optional_unwrap', [list(optional(a))], list(a), unwrap)),
    declare('unwrapOpt', member('optional_unwrapOpt', [list(optional(a))], list(a), unwrap)),
  ],
};

/** Returns the present values. */
function unwrap(values: CelList): CelList {
  return itemsOf(values).flatMap((item): readonly CelValue[] => {
    if (!(item instanceof Optional)) return fail('no such overload');
    return item.value === undefined ? [] : [item.value];
  });
}
