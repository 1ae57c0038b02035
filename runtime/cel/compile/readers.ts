/** Reads decoded JSON as values of the language, as the schema of its place says. */
import { Later } from '../../objects/depth/later.js';
import { recursionLevels } from '../../objects/depth/levels.js';
import type { Meter } from '../cost/meter.js';
import { equal } from '../values/equality.js';
import { fail } from '../values/error.js';
import { toInt } from '../values/int.js';
import { parseTimestamp } from '../values/time.js';
import {
  type CelList,
  CelMap,
  type CelValue,
  Double,
  type Duration,
  type Int,
  KeyedList,
  type MapKey,
  none,
  Optional,
  StructValue,
  type Timestamp,
} from '../values/value.js';
import { parseWordedDuration } from '../values/worded-duration.js';

/** Makes a value of JSON; JSON of a type the schema does not allow is an error. */
export type Reader = (json: unknown, meter: Meter) => CelValue;

/** Decoded JSON as programs look into it: what is no object has no fields. */
export interface Data {
  readonly [property: string]: Data | undefined;
}

const invalid = (json: unknown, wanted: string): never =>
  fail(`invalid data, expected ${wanted}, got ${json === null ? 'null' : typeof json}`);

/** A plain object, as JSON has them. */
export function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The same, for programs to look into. */
export function isData(json: unknown): json is Data {
  return isRecord(json);
}

export function readText(json: unknown): string {
  return typeof json === 'string' ? json : invalid(json, 'string');
}

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
  return parseWordedDuration(readText(json)) ?? invalid(json, 'duration');
}

/** JSON without a schema: whole numbers are ints, others doubles. */
export function readDyn(json: unknown, meter: Meter): CelValue {
  return readDynAt(json, meter, 0);
}

function readDynAt(json: unknown, meter: Meter, level: number): CelValue {
  switch (typeof json) {
    case 'string':
    case 'boolean':
      return json;
    case 'bigint':
      return toInt(json);
    case 'number':
      return Number.isInteger(json) ? readInt(json) : new Double(json);
    default:
      if (json === null) return null;
      if (Array.isArray(json)) return dynItems(json, meter, level);
      return isRecord(json) ? new RecordMap(json, readDyn, meter) : invalid(json, 'JSON');
  }
}

const later = new Later();

/** The items of a list, which are lists themselves or anything else. */
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

/** Lets null through. */
export function orNull(reader: Reader): Reader {
  return (json, meter) => (json === null ? null : reader(json, meter));
}

/** A value that may be absent; null counts as absent. */
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

/** A list in which each item is there once, in any order. */
export function readSet(item: Reader): (json: unknown, meter: Meter) => CelList {
  return (json, meter) =>
    Array.isArray(json) ? new KeyedList(itemsFrom(json, item, meter), setKey, 'set') : invalid(json, 'array');
}

/** A list whose items are told apart by fields of theirs, in any order. Fields go by the names that expressions use. */
export function readKeyedList(item: Reader, keys: readonly string[]): (json: unknown, meter: Meter) => CelList {
  const keyOf = (value: CelValue): unknown =>
    value instanceof StructValue ? JSON.stringify(keys.map((key) => setKey(value.get(key) ?? null))) : value;
  return (json, meter) =>
    Array.isArray(json) ? new KeyedList(itemsFrom(json, item, meter), keyOf, 'map') : invalid(json, 'array');
}

/** Scalars by their value; others by what they look like. */
function setKey(value: CelValue): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if ('value' in value) return `=${String(value.value)}`;
  return 'nanos' in value ? `t${value.nanos}` : JSON.stringify(value);
}

/** A map from names; values are read when they are asked for. */
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
    const names = Object.keys(this.record);
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

/** A field: the property it is in JSON, and how that is read. */
export interface FieldReader {
  readonly property: string;
  readonly read: Reader;
}

/**
 * Fields by the names that expressions use. A field's reader is an object, since TypeScript widens a tuple that is
 * under the name of a member of every object, such as `constructor`.
 */
export type FieldReaders = Readonly<Record<string, FieldReader>>;

class ObjectData extends StructValue {
  constructor(
    readonly typeName: string,
    override readonly record: Readonly<Record<string, unknown>>,
    private readonly fields: FieldReaders,
    private readonly meter: Meter,
  ) {
    super();
  }

  get size(): number {
    return Object.keys(this.record).length;
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

  /** Fields the schema knows are compared as values, all others as JSON. */
  equals(other: CelValue): boolean {
    if (!(other instanceof ObjectData)) return false;
    if (Object.keys(this.record).length !== Object.keys(other.record).length) return false;
    this.meter.read(this.size);
    const known = new Set<string>();
    for (const [field, { property }] of Object.entries(this.fields)) {
      known.add(property);
      const mine = this.get(field);
      const theirs = other.get(field);
      if (mine === undefined || theirs === undefined ? mine !== theirs : !equal(mine, theirs)) return false;
    }
    return Object.keys(this.record)
      .filter((property) => !known.has(property))
      .every(
        (property) =>
          Object.hasOwn(other.record, property) &&
          equal(readDyn(this.record[property], this.meter), readDyn(other.record[property], this.meter)),
      );
  }
}

export function readObject(typeName: string, fields: FieldReaders): (json: unknown, meter: Meter) => StructValue {
  return (json, meter) => (isRecord(json) ? new ObjectData(typeName, json, fields, meter) : invalid(json, 'object'));
}
