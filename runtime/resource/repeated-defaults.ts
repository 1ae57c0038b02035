/** Limits how many bytes the defaults in lists and maps add to an object. */
import type { JsonValue, Schema } from '../contract/index.js';
import { getOwn, isArray, isObject } from '../objects/guards.js';

/** Bytes that defaults may add to one object: no larger object can be stored under any limit. */
export const mostDefaultBytes = 64 * 1024 * 1024;

/** The places of a schema at which values may get defaults. A part of the schema without defaults has no place. */
export interface DefaultsPlace {
  readonly members: ReadonlyMap<string, Filled>;
  /** The items of a list. */
  readonly items: Filled | undefined;
  /** The values of a map, except its named members. */
  readonly values: Filled | undefined;
  /** All named members. They are not among the values of the map. */
  readonly named: ReadonlySet<string>;
}

/** A value that gets a default if it is missing, or that contains such values. */
interface Filled {
  /** Bytes of the default in JSON, with its name, and with the defaults inside it. */
  readonly bytes: number;
  /** Whether a null stays. */
  readonly nullable: boolean;
  readonly inner: DefaultsPlace | undefined;
}

/**
 * Returns the places of a schema where each value of a list or map gets more than a few bytes of defaults: a small body
 * could become huge there. Returns `undefined` for nearly all schemas, because they have no such places. Takes linear
 * time.
 */
export function repeatedDefaults(schema: Schema): DefaultsPlace | undefined {
  return weigh(schema).repeat ? placeOf(schema) : undefined;
}

/** Bytes that an item may gain before they count: a body of 3 MiB holds a million items. */
const fewBytes = 64;

/** Returns the bytes of all defaults in a part of a schema, and whether too many of them are in lists or maps. */
function weigh(schema: Schema): { readonly bytes: number; readonly repeat: boolean } {
  let bytes = schema.default === undefined ? 0 : sizeOf(schema.default);
  let repeat = false;
  for (const part of [schema.items, schema.additionalProperties]) {
    if (typeof part !== 'object') continue;
    const inner = weigh(part);
    bytes += inner.bytes;
    repeat ||= inner.repeat || inner.bytes > fewBytes;
  }
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const inner = weigh(part);
    bytes += inner.bytes + (part.default === undefined ? 0 : name.length);
    repeat ||= inner.repeat;
  }
  return { bytes, repeat };
}

function placeOf(schema: Schema): DefaultsPlace | undefined {
  const properties = Object.entries(schema.properties ?? {});
  const members = new Map(
    properties.flatMap(([name, part]) => {
      const filled = filledOf(part, name.length + 4);
      return filled ? [[name, filled] as const] : [];
    }),
  );
  const items = schema.items && filledOf(schema.items, 1);
  const { additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? filledOf(additionalProperties, 1) : undefined;
  if (members.size === 0 && !items && !values) return undefined;
  return { members, items, values, named: new Set(properties.map(([name]) => name)) };
}

function filledOf(schema: Schema, around: number): Filled | undefined {
  const inner = placeOf(schema);
  const { default: fallback, nullable = false } = schema;
  if (!inner && fallback === undefined) return undefined;
  if (fallback === undefined) return { bytes: 0, nullable, inner };
  const below = inner ? added(inner, fallback, mostDefaultBytes) : 0;
  return { bytes: sizeOf(fallback) + around + below, nullable, inner };
}

const sizeOf = (value: JsonValue): number =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)).length;

/** Returns whether defaults would add more bytes to a value than allowed. */
export function overfills(place: DefaultsPlace, value: JsonValue, most = mostDefaultBytes): boolean {
  return added(place, value, most) > most;
}

/** Returns the bytes that defaults add to a value. Stops counting at more than `most`. */
function added(place: DefaultsPlace, value: JsonValue, most: number): number {
  let sum = 0;
  const add = (filled: Filled, found: JsonValue | undefined, isMember: boolean): boolean => {
    const isMissing = found === undefined ? isMember : found === null && !filled.nullable;
    if (isMissing) sum += filled.bytes;
    else if (filled.inner && found !== undefined) sum += added(filled.inner, found, most - sum);
    return sum <= most;
  };
  if (isArray(value)) {
    const { items } = place;
    if (items) for (const item of value) if (!add(items, item, false)) break;
    return sum;
  }
  if (!isObject(value)) return 0;
  for (const [name, filled] of place.members) if (!add(filled, getOwn(value, name), true)) return sum;
  const { values, named } = place;
  if (!values) return sum;
  for (const name in value) if (!named.has(name) && !add(values, value[name], false)) break;
  return sum;
}
