/** Libraries that consist of macros. */
import { map, param } from '../check/types.js';
import type { Library } from '../environment.js';
import { entryOf } from '../values/map-key.js';
import { EntryMap } from '../values/maps.js';
import type { CelMap, CelValue } from '../values/value.js';
import { declare, overload } from './declare.js';

const key = param('K');
const value = param('V');

/** `cel.bind(name, value, body)`. */
export const bindingsLibrary: Library = { name: 'bindings', functions: [], macros: ['bindings'] };

function copy(source: CelMap, target: EntryMap): EntryMap {
  for (const name of source.keys()) target.insert(name, entryOf(source, name) ?? null);
  return target;
}

/** Macros with an index or key beside the value: `list.all(i, v, …)`, `map.transformMap(k, v, …)`. */
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
