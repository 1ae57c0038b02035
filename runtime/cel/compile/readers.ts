/** Reads decoded JSON as values of the language, by the schema of its place. */
import { Later, recursionLevels } from '../../objects/from-below.js';
import { parseWordedDuration } from '../../objects/scan/duration.js';
import type { Meter } from '../check/range.js';
import { equal } from '../values/equality.js';
import { fail } from '../values/error.js';
import { maxInt, minInt, toInt } from '../values/int.js';
import { parseTimestamp } from '../values/time.js';
import {
  type CelList,
  CelMap,
  type CelValue,
  Double,
  Duration,
  type Int,
  KeyedList,
  type MapKey,
  none,
  Optional,
  StructValue,
  type Timestamp,
} from '../values/value.js';

/** Turns JSON into a value. JSON of a type that the schema does not allow is an error. */
export type Reader = (json: unknown, meter: Meter) => CelValue;

/** Decoded JSON for programs. Values other than objects have no fields. */
export interface Data {
  readonly [property: string]: Data | undefined;
}

/** Returns whether a value is a plain JSON object. */
export function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Works like `isRecord`, with the type that programs use. */
export function isData(json: unknown): json is Data {
  return isRecord(json);
}

export function readText(json: unknown): string {
  return typeof json === 'string' ? json : invalid(json, 'string');
}

const invalid = (json: unknown, wanted: string): never =>
  fail(`invalid data, expected ${wanted}, got ${json === null ? 'null' : typeof json}`);

export function readInt(json: unknown): Int {
  if (typeof json === 'number' && Number.isSafeInteger(json)) return json + 0;
  if (typeof json === 'bigint') return toInt(json);
  return typeof json === 'number' && Number.isInteger(json) ? toInt(BigInt(json)) : invalid(json, 'integer');
}

export function readDouble(json: unknown): Double {
  return typeof json === 'number' || typeof json === 'bigint' ? new Double(Number(json)) : invalid(json, 'number');
}

export function readBool(json: unknown): boolean {
  return typeof json === 'boolean' ? json : invalid(json, 'boolean');
}

export function readBytes(json: unknown): Uint8Array {
  const text = readText(json);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text)
    ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    : invalid(json, 'byte');
}

export function readTimestamp(json: unknown): Timestamp {
  return parseTimestamp(readText(json)) ?? invalid(json, 'date-time');
}

export function readDate(json: unknown): Timestamp {
  return parseTimestamp(`${readText(json)}T00:00:00Z`) ?? invalid(json, 'date');
}

export function readDuration(json: unknown): Duration {
  const nanos = parseWordedDuration(readText(json));
  return nanos === undefined ? invalid(json, 'duration') : new Duration(nanos);
}

/** Reads a number without a schema: a whole number of 64 bits is an int, others are doubles. */
function dynNumber(json: number | bigint): CelValue {
  if (typeof json === 'number' && !Number.isInteger(json)) return new Double(json);
  if (Number.isSafeInteger(json)) return Number(json) + 0;
  const whole = BigInt(json);
  return whole < minInt || whole > maxInt ? new Double(Number(json)) : toInt(whole);
}

/** Reads JSON without a schema. */
export function readDyn(json: unknown, meter: Meter): CelValue {
  return readDynAt(json, meter, 0);
}

function readDynAt(json: unknown, meter: Meter, level: number): CelValue {
  switch (typeof json) {
    case 'string':
    case 'boolean':
      return json;
    case 'bigint':
    case 'number':
      return dynNumber(json);
    default:
      if (json === null) return null;
      if (Array.isArray(json)) return dynItems(json, meter, level);
      return isRecord(json) ? new RecordMap(json, readDyn, meter) : invalid(json, 'JSON');
  }
}

const later = new Later();

/** Reads the items of a list, which may be lists or other values. */
function dynItems(json: readonly unknown[], meter: Meter, level: number): CelValue[] {
  meter.read(json.length);
  const items: CelValue[] = [];
  const fill = (from: number): void => {
    for (const one of json) items.push(readDynAt(one, meter, from + 1));
  };
  if (level === recursionLevels) later.run(() => fill(0));
  else fill(level);
  return items;
}

/** Makes a reader that accepts null too. */
export function orNull(reader: Reader): Reader {
  return (json, meter) => (json === null ? null : reader(json, meter));
}

/** Makes a reader of an optional value; null counts as absent. */
export function readOptional(reader: Reader): (json: unknown, meter: Meter) => Optional {
  return (json, meter) => (json === undefined || json === null ? none : new Optional(reader(json, meter)));
}

function itemsFrom(json: readonly unknown[], item: Reader, meter: Meter): CelValue[] {
  meter.read(json.length);
  return json.map((one) => item(one, meter));
}

export function readList(item: Reader): (json: unknown, meter: Meter) => CelList {
  return (json, meter) => (Array.isArray(json) ? itemsFrom(json, item, meter) : invalid(json, 'array'));
}

/** Makes a reader of a list with unique items, in any order. */
export function readSet(item: Reader): (json: unknown, meter: Meter) => CelList {
  return (json, meter) => (Array.isArray(json) ? new KeyedList(itemsFrom(json, item, meter)) : invalid(json, 'array'));
}

/** Makes a reader of a list in any order with items that `keys` identify. Fields have the names of expressions. */
export function readKeyedList(item: Reader, keys: readonly string[]): (json: unknown, meter: Meter) => CelList {
  return (json, meter) =>
    Array.isArray(json) ? new KeyedList(itemsFrom(json, item, meter), keys) : invalid(json, 'array');
}

/** Returns the names of an object's properties. An undefined property is absent, as in JSON. */
export function namesIn(record: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(record);
  return names.every((name) => record[name] !== undefined) ? names : names.filter((name) => record[name] !== undefined);
}

/** A map from names. It reads a value when an expression asks for it. */
class RecordMap extends CelMap {
  private names: readonly string[] | undefined;

  constructor(
    private readonly record: Readonly<Record<string, unknown>>,
    private readonly value: Reader,
    private readonly meter: Meter,
  ) {
    super();
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: MapKey): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.record, key)) return undefined;
    const json = this.record[key];
    return json === undefined ? undefined : this.value(json, this.meter);
  }

  private namesOnce(): readonly string[] {
    const names = namesIn(this.record);
    this.meter.read(names.length);
    return names;
  }

  keys(): readonly string[] {
    this.names ??= this.namesOnce();
    return this.names;
  }
}

export function readMap(value: Reader): (json: unknown, meter: Meter) => CelMap {
  return (json, meter) => (isRecord(json) ? new RecordMap(json, value, meter) : invalid(json, 'object'));
}

/** A field: its property in JSON, and the reader of that. */
export interface FieldReader {
  readonly property: string;
  readonly read: Reader;
}

/**
 * Fields by the names that expressions use. A field's reader is an object, not a tuple: TypeScript widens a tuple at a
 * key such as `constructor`, which every object inherits.
 */
export type FieldReaders = Readonly<Record<string, FieldReader>>;

/** The readers of fields by their properties in JSON. */
type Properties = ReadonlyMap<string, Reader>;

class ObjectData extends StructValue {
  constructor(
    readonly typeName: string,
    override readonly record: Readonly<Record<string, unknown>>,
    private readonly fields: FieldReaders,
    private readonly properties: Properties,
    private readonly meter: Meter,
  ) {
    super();
  }

  get size(): number {
    return namesIn(this.record).length;
  }

  has(field: string): boolean {
    const reading = Object.hasOwn(this.fields, field) ? this.fields[field] : undefined;
    if (reading === undefined || !Object.hasOwn(this.record, reading.property)) return false;
    return this.record[reading.property] !== undefined && this.record[reading.property] !== null;
  }

  get(field: string): CelValue | undefined {
    const reading = this.has(field) ? this.fields[field] : undefined;
    return reading?.read(this.record[reading.property], this.meter);
  }

  *members(): Iterable<readonly [string, CelValue]> {
    const names = namesIn(this.record);
    this.meter.read(names.length);
    for (const name of names) yield [name, this.member(name)];
  }

  /** Returns a field. Reads it by the schema if that has the field, otherwise as JSON without a schema. */
  private member(name: string): CelValue {
    const json = this.record[name];
    return json === null ? null : (this.properties.get(name) ?? readDyn)(json, this.meter);
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof ObjectData) || this.size !== other.size) return false;
    for (const [name, value] of this.members()) {
      if (!Object.hasOwn(other.record, name) || other.record[name] === undefined) return false;
      if (!equal(value, other.member(name))) return false;
    }
    return true;
  }
}

export function readObject(typeName: string, fields: FieldReaders): (json: unknown, meter: Meter) => StructValue {
  const properties = new Map(Object.values(fields).map(({ property, read }) => [property, read]));
  return (json, meter) =>
    isRecord(json) ? new ObjectData(typeName, json, fields, properties, meter) : invalid(json, 'object');
}
