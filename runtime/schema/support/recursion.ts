/** Types that hold themselves: their functions are handed themselves for what is within. */
import type { JsonObject } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import type { Mismatch } from './mismatch.js';
import { UnknownFields } from './unknown-fields.js';
import type { Value } from './value.js';

/** Brings an object of such a type into canonical form, see `SchemaFunctions`. */
export type SelfReader = (value: JsonObject, self: SelfReader) => Mismatch | undefined;

/** Levels of such a type within itself that are read. What there is of such types may have fewer. */
const mostLevels = 400;

/** The function by which a type reads itself, which refuses to go further down than is sane. */
export function bounded(read: SelfReader): SelfReader {
  let level = 0;
  return (value, self) => {
    if (level === mostLevels) return tooDeep;
    level++;
    const wrong = read(value, self);
    level--;
    return wrong;
  };
}

const tooDeep: Mismatch = { struct: '', field: '', found: 'object', wanted: '', problem: 'exceeded max depth' };

/** Removes what such a type does not know. */
export type SelfPruner = (value: Value, path: string, unknown: UnknownFields, self: SelfPruner) => void;

/** Reads what is an object of such a type, a list of them, or something else that holds none. */
export function readEither(value: Value, self: SelfReader): Mismatch | undefined {
  if (isObject(value)) return self(value, self);
  if (!Array.isArray(value)) return undefined;
  for (const item of value) {
    const wrong = isObject(item) ? self(item, self) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Prunes the same, in silence: clients are not told what is unknown there. */
export function pruneEither(value: Value, self: SelfPruner): void {
  const untold = new UnknownFields();
  for (const one of Array.isArray(value) ? value : [value]) {
    if (isObject(one)) self(one, '', untold, self);
  }
}
