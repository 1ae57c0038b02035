/**
 * Reads the decoded body of a typed kind: checks JSON types, drops nulls and zeros, and adds fields that are always
 * stored.
 */
import type { JsonObject, JsonValue, Schema, TypeMismatch } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { canonicalQuantity } from '../../objects/scan/quantity.js';
import { microTimeProblem, parseMicroTime, parseTime, timeProblem } from '../../objects/scan/time.js';
import { Mistake } from './mistake.js';
import { zeroElement } from './readings.js';
import type { Field, Fields, Node } from './table.js';
import { isInt64, isNumber, type Value } from './value.js';

/** The names of a kind's types in messages. */
export interface TypeNames {
  readonly kind: string;
  readonly version: string;
}

/**
 * Brings the fields of an object into canonical form in place. Returns the first value of a wrong type. The time
 * depends on the size of the object, not of the schema.
 */
export function normalizeFields(fields: Fields, object: JsonObject, names: TypeNames): TypeMismatch | undefined {
  // Returns the first mistake in the order of the schema. Most objects have none, so the second walk, in this order, is
  // rare.
  if (new Reader(false).fields(fields, object) === undefined) return undefined;
  return new Reader(true).fields(fields, object)?.toMismatch(names);
}

/** The most levels of a type within itself, as in the reference. */
const mostLevels = 400;

/**
 * The stored form of a text if it differs from the written form, a mistake, or nothing if the value stays unchanged.
 */
type ReadValue = string | Mistake | undefined;

class Reader {
  #levels = 0;

  constructor(private readonly inOrder: boolean) {}

  fields({ byName, list, stored }: Fields, object: JsonObject): Mistake | undefined {
    if (this.inOrder) {
      for (const field of list) {
        const wrong = Object.hasOwn(object, field.name) ? this.field(field, object) : undefined;
        if (wrong !== undefined) return wrong;
      }
    } else {
      for (const key in object) {
        const field = byName.get(key);
        const wrong = field === undefined ? undefined : this.field(field, object);
        if (wrong !== undefined) return wrong;
      }
    }
    for (const field of stored) {
      const isThere = field.isInherited ? Object.hasOwn(object, field.name) : object[field.name] !== undefined;
      const wrong = isThere ? undefined : this.absent(field, object);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  /** Reads a written field. */
  private field(field: Field, object: JsonObject): Mistake | undefined {
    const { name, whenAbsent, dropped, dropsEmpty } = field;
    const value = object[name];
    if (value === undefined) return undefined;
    if (value === null) {
      if (whenAbsent !== 'nothing') return this.absent(field, object);
      delete object[name];
      return undefined;
    }
    if (value === dropped) {
      delete object[name];
      return undefined;
    }
    const read = this.value(field.node, value);
    if (typeof read === 'string' && isZeroTime(field.node, read)) {
      // The zero time is stored as null, even in a field that may be absent.
      object[name] = null;
    } else if (typeof read === 'string') object[name] = read;
    else if (read !== undefined) return read.inField(name);
    if (dropsEmpty && isEmpty(object[name])) delete object[name];
    return undefined;
  }

  /**
   * Stores the zero of an absent or null field. For lists, times and bytes the zero is null. Empty lists become null
   * later, when their owner is known.
   */
  private absent({ name, node, whenAbsent, zero }: Field, object: JsonObject): Mistake | undefined {
    if (whenAbsent !== 'object') {
      object[name] = whenAbsent === 'null' ? null : zero;
      return undefined;
    }
    const made: JsonObject = {};
    object[name] = made;
    return this.object(node, made)?.inField(name);
  }

  /** Reads a value that is not null. */
  private value(node: Node, value: JsonValue): ReadValue {
    switch (node.reading) {
      case 'text':
        return typeof value === 'string' ? undefined : Mistake.ofType(node.schema, value);
      case 'struct':
        return isObject(value) ? this.object(node, value) : Mistake.ofType(node.schema, value);
      case 'list':
        return Array.isArray(value) ? this.items(node.items, value) : Mistake.ofType(node.schema, value);
      case 'texts':
        return isObject(value) ? texts(node, value) : Mistake.ofType(node.schema, value);
      case 'map':
        return isObject(value) ? this.entries(node, value) : Mistake.ofType(node.schema, value);
      case 'object':
        return isObject(value) ? undefined : Mistake.ofType(node.schema, value);
      case 'boolean':
        return typeof value === 'boolean' ? undefined : Mistake.ofType(node.schema, value);
      case 'int32':
        return isInt32(value) ? undefined : Mistake.ofNumber(node.schema, value);
      case 'int64':
        return isInt64(value) ? undefined : Mistake.ofNumber(node.schema, value);
      case 'number':
        return isNumber(value) ? undefined : Mistake.ofType(node.schema, value);
      case 'int-or-string':
        return typeof value === 'string' || isInt32(value) ? undefined : Mistake.ofNumber('int32', value);
      case 'time':
        return readTime(value, node.schema);
      case 'micro-time':
        return readMicroTime(value, node.schema);
      case 'bytes':
        return readBytes(value, node.schema);
      case 'quantity':
        return readQuantity(value, node.schema);
      case 'again':
        return isObject(value) ? this.again(node, value) : Mistake.ofType(node.schema, value);
      case 'either':
        return this.either(node, value);
      default:
        return undefined;
    }
  }

  private object(node: Node, value: JsonObject): Mistake | undefined {
    return this.fields(node.fields, value)?.inStruct(node.schema);
  }

  private items(node: Node | undefined, list: JsonValue[]): Mistake | undefined {
    if (node === undefined) return undefined;
    for (let i = 0; i < list.length; i++) {
      const item = list[i] ?? null;
      const given = item ?? zeroElement(node.schema) ?? null;
      const read = this.value(node, given);
      if (typeof read === 'object') return read.inElement();
      if (read !== undefined) list[i] = read;
      else if (given !== item) list[i] = given;
    }
    return undefined;
  }

  private entries({ values }: Node, map: JsonObject): Mistake | undefined {
    if (values === undefined) return undefined;
    for (const key in map) {
      const entry = map[key];
      if (entry === undefined) continue;
      const given = entry ?? zeroElement(values.schema) ?? null;
      const read = this.value(values, given);
      if (typeof read === 'object') return read.inElement();
      if (read !== undefined) map[key] = read;
      else if (given !== entry) map[key] = given;
    }
    return undefined;
  }

  private again({ again }: Node, value: JsonObject): Mistake | undefined {
    if (again === undefined) return undefined;
    if (this.#levels === mostLevels) return Mistake.ofDepth();
    this.#levels++;
    const wrong = this.object(again, value);
    this.#levels--;
    return wrong;
  }

  /** Reads an object of the type, a list of such objects, or any other value. */
  private either(node: Node, value: JsonValue): Mistake | undefined {
    for (const one of Array.isArray(value) ? value : [value]) {
      const wrong = isObject(one) ? this.again(node, one) : undefined;
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}

/** The zero of times, by reading. It is stored as null, and checks treat it like an absent time. */
const zeroTimes: Readonly<Partial<Record<Node['reading'], string>>> = {
  time: '0001-01-01T00:00:00Z',
  'micro-time': '0001-01-01T00:00:00.000000Z',
};

const isZeroTime = ({ reading }: Node, text: string): boolean => text === zeroTimes[reading];

/** Reads a map of texts, the most frequent kind of map. Null becomes the empty text. */
function texts({ values }: Node, map: JsonObject): Mistake | undefined {
  for (const key in map) {
    const entry = map[key];
    if (entry === null) map[key] = '';
    else if (entry !== undefined && typeof entry !== 'string') {
      return Mistake.ofType(values?.schema ?? {}, entry).inElement();
    }
  }
  return undefined;
}

/** The stored form of a text, or its mistake. */
type Read = string | Mistake;

/** Reads a time of RFC 3339. Returns it in UTC with whole seconds. */
export function readTime(value: JsonValue, schema: Schema): Read {
  if (typeof value !== 'string') return Mistake.ofType('string', value);
  return parseTime(value) ?? Mistake.ofText(schema, timeProblem(value));
}

/** Reads a time with exactly six digits of a second's fraction. Returns it in UTC. */
export function readMicroTime(value: JsonValue, schema: Schema): Read {
  if (typeof value !== 'string') return Mistake.ofType('string', value);
  return parseMicroTime(value) ?? Mistake.ofText(schema, microTimeProblem(value));
}

/**
 * Reads bytes in base64 (RFC 4648 with padding). Allows line breaks, and returns the bytes without them. Also reads
 * bytes as a list of numbers.
 */
export function readBytes(value: JsonValue, schema: Schema): Read {
  if (Array.isArray(value)) return bytesOf(value);
  if (typeof value !== 'string') return Mistake.ofType(schema, value);
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value;
  const isWhole = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  if (!isWhole) return Mistake.ofText(schema, `illegal base64 data at input byte ${badByte(value)}`);
  // The unused bits before the padding are zero in the stored form.
  return text.endsWith('=') ? btoa(atob(text)) : text;
}

/** Returns the base64 of bytes written as numbers. Null is zero. */
function bytesOf(items: readonly JsonValue[]): Read {
  let bytes = '';
  for (const item of items) {
    const byte = item ?? 0;
    if (!isInt32(byte) || byte < 0 || byte > 255) return Mistake.ofNumber('uint8', byte);
    bytes += String.fromCharCode(byte);
  }
  return btoa(bytes);
}

/**
 * Reads a quantity (`500m`, `2Gi`), also as a plain number or with spaces around it. Returns its canonical form. A
 * value of any other type is a mistake.
 */
export function readQuantity(value: JsonValue, schema: Schema): Read {
  const canonical = canonicalQuantity(quantityText(value));
  return canonical.ok ? canonical.value : Mistake.ofText(schema, canonical.failure.message);
}

function quantityText(value: JsonValue): string {
  if (typeof value === 'string') return withoutSpacesAround(value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Spaces that JSON writes without escapes. Tabs and line breaks have escapes in JSON, and are part of the text. */
const space = /^\p{Z}$/u;

function withoutSpacesAround(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * Returns the index at which a text stops being base64. If the text ends too early, returns the start of its last group
 * of four.
 */
export function badByte(text: string): number {
  let inGroup = 0;
  for (let i = 0; i < text.length; i++) {
    if (isBreak(text, i)) continue;
    if (/[A-Za-z0-9+/]/.test(text.charAt(i))) inGroup = (inGroup + 1) % 4;
    else return text.charAt(i) === '=' && inGroup >= 2 ? badPadding(text, i, inGroup) : i;
  }
  return text.length - inGroup;
}

/**
 * Returns the index at which the padding from `start` is wrong. After two characters of a group, the padding has two
 * characters.
 */
function badPadding(text: string, start: number, inGroup: number): number {
  const second = skipBreaks(text, start + 1);
  if (inGroup === 3 || second === text.length) return second;
  return text.charAt(second) === '=' ? skipBreaks(text, second + 1) : second - 1;
}

const isBreak = (text: string, index: number): boolean => text.charAt(index) === '\n' || text.charAt(index) === '\r';

function skipBreaks(text: string, from: number): number {
  let index = from;
  while (index < text.length && isBreak(text, index)) index++;
  return index;
}

/** Returns whether a value is an integer of 32 bits. */
export function isInt32(value: Value): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

/** Returns whether a value is an empty list or an object without properties. */
export function isEmpty(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
}
