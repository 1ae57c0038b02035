/** Schemas of plugin configurations. Each reads one kind of value strictly and reports every problem. */
import type { ConfigurationPath, RefuseConfiguration } from '../../runtime/contract/index.js';
import { isInteger, isObject } from '../../runtime/objects/guards.js';
import { didYouMean } from '../../runtime/objects/suggest.js';

/** Reads a value, or reports its problems and returns `undefined`. A missing value is passed as `undefined`. */
export type Schema<T> = (value: unknown, path: ConfigurationPath, refuse: RefuseConfiguration) => Read<T>;

/** The value, or `undefined` if it was refused. */
export type Read<T> = { readonly value: T } | undefined;

/** Reads a string, which may be empty. */
export const text: Schema<string> = (value, path, refuse) =>
  typeof value === 'string' ? { value } : refused(value, path, refuse, 'text');

/** Reads a boolean. */
export const truth: Schema<boolean> = (value, path, refuse) =>
  typeof value === 'boolean' ? { value } : refused(value, path, refuse, 'true or false');

/** Reads a whole number between two bounds, both included. */
export function whole({ least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER } = {}): Schema<number> {
  return (value, path, refuse) => {
    if (!isInteger(value)) return refused(value, path, refuse, 'a whole number');
    if (value >= least && value <= most) return { value: Number(value) };
    refuse(path, value < least ? `${value} is less than ${least}` : `${value} is more than ${most}`);
    return undefined;
  };
}

/** Reads one of the given strings. */
export function oneOf<const T extends string>(...known: readonly T[]): Schema<T> {
  return (value, path, refuse) => {
    const found = known.find((one) => one === value);
    if (found !== undefined) return { value: found };
    if (typeof value !== 'string') return refused(value, path, refuse, `one of ${known.join(', ')}`);
    refuse(path, `${JSON.stringify(value)} is unknown; ${didYouMean(value, known) ?? `use ${known.join(', ')}`}`);
    return undefined;
  };
}

/** Reads a list; a missing one is empty. */
export function list<T>(of: Schema<T>): Schema<readonly T[]> {
  return (value, path, refuse) => {
    if (isAbsent(value)) return { value: [] };
    if (!Array.isArray(value)) return refused(value, path, refuse, 'a list');
    return all(value.map((one: unknown, index) => of(one, [...path, index], refuse)));
  };
}

/** Reads a mapping with any keys; a missing one is empty. */
export function mapping<T>(of: Schema<T>): Schema<ReadonlyMap<string, T>> {
  return (value, path, refuse) => {
    if (isAbsent(value)) return { value: new Map() };
    if (!isObject(value)) return refused(value, path, refuse, 'a mapping');
    const keys = Object.keys(value);
    const read = all(keys.map((key) => of(value[key], [...path, key], refuse)));
    return read && { value: new Map(read.value.map((one, index) => [keys[index] ?? '', one])) };
  };
}

/** Reads an optional value with a default. */
export function optional<T, D>(of: Schema<T>, byDefault: D): Schema<T | D> {
  return (value, path, refuse) => (isAbsent(value) ? { value: byDefault } : of(value, path, refuse));
}

/** Reads an object with exactly these fields. */
export function fields<T extends object>(schemas: { readonly [K in keyof T]: Schema<T[K]> }): Schema<Readonly<T>> {
  const known = Object.keys(schemas);
  return (value, path, refuse) => {
    if (!isObject(value)) return refused(value, path, refuse, 'a mapping');
    const unknown = Object.keys(value).filter((key) => !known.includes(key));
    for (const key of unknown) {
      refuse([...path, key], `unknown field; ${didYouMean(key, known) ?? `use ${known.join(', ')}`}`, 'key');
    }
    const read = Object.entries<Schema<unknown>>(schemas).map(([key, schema]) => {
      const one = schema(Object.hasOwn(value, key) ? value[key] : undefined, [...path, key], refuse);
      return one && { value: [key, one.value] as const };
    });
    const entries = all(read);
    if (!entries || unknown.length > 0) return undefined;
    // Each schema has read its own field, which the type of entries does not show.
    return { value: Object.fromEntries(entries.value) as T };
  };
}

/** Adds a rule to a schema. */
export function checked<T>(
  of: Schema<T>,
  check: (value: T, path: ConfigurationPath, refuse: RefuseConfiguration) => void,
): Schema<T> {
  return (value, path, refuse) => {
    const read = of(value, path, refuse);
    if (!read) return undefined;
    let isRefused = false;
    check(read.value, path, (...problem) => {
      isRefused = true;
      refuse(...problem);
    });
    return isRefused ? undefined : read;
  };
}

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

function refused(value: unknown, path: ConfigurationPath, refuse: RefuseConfiguration, wanted: string): undefined {
  refuse(path, isAbsent(value) ? `missing; give ${wanted}` : `${shown(value)} is not ${wanted}`);
  return undefined;
}

/** Prints a value. Whole numbers of a file can be larger than JSON allows. */
const shown = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : typeof value === 'object' ? 'this' : JSON.stringify(value);

/** Returns all values, or `undefined` if one was refused. */
function all<T>(reads: readonly Read<T>[]): Read<readonly T[]> {
  const known = reads.filter((read) => read !== undefined);
  return known.length === reads.length ? { value: known.map(({ value }) => value) } : undefined;
}
