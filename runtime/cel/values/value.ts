/** Values of the language in JavaScript. */

/**
 * - int: a `number` if it is a safe integer, else a `bigint`; never both for one value
 * - double, uint, timestamp, duration, type, optional: one class each
 * - bytes: `Uint8Array`; string, bool, null: themselves
 * - list: an array, or a `KeyedList` for lists of sets and maps of schemas
 * - map: a `CelMap`; object: a `StructValue`; values of libraries: an `Opaque`
 */
export type CelValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Double
  | Uint
  | Uint8Array
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | CelList
  | CelMap
  | StructValue
  | Opaque;

export type Int = number | bigint;

export type CelList = readonly CelValue[] | KeyedList;

export class Double {
  constructor(readonly value: number) {}
}

/** An unsigned integer of 64 bits. */
export class Uint {
  constructor(readonly value: bigint) {}
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  constructor(
    readonly nanos: bigint,
    /** Minutes ahead of UTC in the text that it was read from. Only its text shows them. */
    readonly offset = 0,
  ) {}
}

/** A length of time in nanoseconds. */
export class Duration {
  constructor(readonly nanos: bigint) {}
}

/** A type as a value: the result of `type(1)`. */
export class TypeValue {
  constructor(readonly name: string) {}
}

/** A value that may be absent. */
export class Optional {
  constructor(readonly value: CelValue | undefined) {}
}

/** The absent optional. */
export const none = new Optional(undefined);

/** A list that is a set or is merged by keys, according to its schema. */
export class KeyedList {
  constructor(
    readonly items: readonly CelValue[],
    /** The fields that identify items; absent for a set. */
    readonly keys?: readonly string[],
  ) {}
}

/** The types of a map's keys. */
export type MapKey = string | number | bigint | boolean;

export abstract class CelMap {
  abstract readonly size: number;
  /** Returns the value of a key, or `undefined` if it is absent. Equal numbers of different types are one key. */
  abstract get(key: MapKey): CelValue | undefined;
  abstract keys(): readonly CelValue[];
}

/** An object with named fields. */
export abstract class StructValue {
  abstract readonly typeName: string;
  /** The decoded JSON that it was read from. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** The number of present fields. */
  abstract readonly size: number;
  /** Returns the value of a field, or `undefined` if it is absent. */
  abstract get(field: string): CelValue | undefined;
  abstract has(field: string): boolean;
  /** Yields the members to compare: fields and unknown members, each with a unique name. */
  abstract members(): Iterable<readonly [name: string, value: CelValue]>;
  abstract equals(other: CelValue): boolean;
}

/** A value that only the functions of a library can read. */
export abstract class Opaque {
  /** For values that match texts: the pattern length that sets the cost. */
  readonly patternSize: number = 1;
  abstract readonly typeName: string;
  abstract equals(other: CelValue): boolean;
}

/** Returns the items of a list. */
export function itemsOf(list: CelList): readonly CelValue[] {
  return list instanceof KeyedList ? list.items : list;
}

export function isList(value: CelValue): value is CelList {
  return Array.isArray(value) || value instanceof KeyedList;
}

export function isInt(value: CelValue): value is Int {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns the name of a value's type, as `type()` does. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'int';
    case 'string':
      return 'string';
    default:
      return value === null ? 'null_type' : objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<CelValue, null | boolean | number | bigint | string>): string {
  if (isList(value)) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof Double) return 'double';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Optional) return 'optional_type';
  return value.typeName;
}
