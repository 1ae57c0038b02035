/** Fields of a message: single values, lists and maps of values. */
import type { JsonObject, JsonValue, ProtobufField } from '../../contract/index.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { ProtobufError, type ProtobufReader } from './reader.js';
import type { ValueCodec } from './scalars.js';
import type { ProtobufWriter } from './writer.js';

export interface Field {
  /** The name in JSON. */
  readonly name: string;
  readonly number: number;
  /**
   * Whether the field can hold the value without loss. An empty list does not fit, because a message cannot distinguish
   * it from an absent one.
   */
  readonly fits: (value: JsonValue) => boolean;
  readonly write: (out: ProtobufWriter, value: JsonValue) => void;
  /** Writes the zero of a field that must be present; absent for other fields. */
  readonly writeZero: ((out: ProtobufWriter) => void) | undefined;
  /** Reads one occurrence of the field into its object. */
  readonly read: (reader: ProtobufReader, object: JsonObject, depth: number) => void;
}

/** Splits a type such as `repeated string`. */
export function splitType(type: string): { readonly label: string; readonly of: string } {
  const space = type.indexOf(' ');
  return space < 0 ? { label: '', of: type } : { label: type.slice(0, space), of: type.slice(space + 1) };
}

/** Makes a field. With `keepsZero`, a zero on the wire is a value, not an unset field. */
export function createField(name: string, entry: ProtobufField, codec: ValueCodec, keepsZero: boolean): Field {
  const [number, type, presence] = entry;
  const { label } = splitType(type);
  if (label === 'repeated') return listField(name, number, codec);
  if (label === 'map') return mapField(name, number, codec);
  return {
    name,
    number,
    fits: codec.fits,
    write: (out, value) => codec.write(out, number, value),
    writeZero: presence === 'always' ? zeroWriter(number, codec) : undefined,
    read: (reader, object, depth) => {
      reader.expect(codec.wireType);
      const value = codec.read(reader, depth, getOwn(object, name));
      if (value !== undefined && (keepsZero || value !== codec.zero)) setOwn(object, name, value);
    },
  };
}

function zeroWriter(number: number, codec: ValueCodec): Field['writeZero'] {
  const { zero, writeZero } = codec;
  if (writeZero !== undefined) return (out) => writeZero(out, number);
  return zero === undefined ? undefined : (out) => codec.write(out, number, zero);
}

function listField(name: string, number: number, codec: ValueCodec): Field {
  return {
    name,
    number,
    fits: (value) => Array.isArray(value) && value.length > 0 && value.every(codec.fits),
    writeZero: undefined,
    write: (out, value) => {
      if (!Array.isArray(value)) return;
      for (let i = value.length - 1; i >= 0; i--) {
        const item = value[i];
        if (item !== undefined) codec.write(out, number, item);
      }
    },
    read: (reader, object, depth) => {
      const before = getOwn(object, name);
      const list = Array.isArray(before) ? before : [];
      if (list !== before) setOwn(object, name, list);
      const add = (from: ProtobufReader): void => {
        const item = codec.read(from, depth);
        if (item !== undefined) list.push(item);
      };
      if (codec.wireType === 2 || reader.wireType !== 2) {
        reader.expect(codec.wireType);
        add(reader);
        return;
      }
      // One packed field may also hold all numbers.
      for (const packed = reader.message(); !packed.done; ) add(packed);
    },
  };
}

const astral = /[\ud800-\udfff]/;

/** Compares keys by UTF-8, the order of maps. Only surrogates sort differently as UTF-16. */
function compareKeys(left: string, right: string): number {
  if (astral.test(left) || astral.test(right)) return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : left > right ? 1 : 0;
}

function mapField(name: string, number: number, codec: ValueCodec): Field {
  return {
    name,
    number,
    fits: (value) => {
      if (!isObject(value)) return false;
      const entries = Object.entries(value);
      return entries.length > 0 && entries.every(([, item]) => item !== undefined && codec.fits(item));
    },
    writeZero: undefined,
    write: (out, value) => {
      if (!isObject(value)) return;
      for (const key of Object.keys(value).sort(compareKeys).reverse()) {
        const item = getOwn(value, key);
        if (item === undefined) continue;
        out.message(number, () => {
          codec.write(out, 2, item);
          out.string(1, key);
        });
      }
    },
    read: (reader, object, depth) => {
      reader.expect(2);
      const before = getOwn(object, name);
      const map = isObject(before) ? before : {};
      if (map !== before) setOwn(object, name, map);
      readEntry(reader.message(), map, codec, depth);
    },
  };
}

function readEntry(entry: ProtobufReader, map: JsonObject, codec: ValueCodec, depth: number): void {
  let key = '';
  let value: JsonValue | undefined = codec.zero;
  while (entry.next()) {
    if (entry.field === 1) {
      entry.expect(2);
      key = entry.string();
    } else if (entry.field === 2) {
      entry.expect(codec.wireType);
      value = codec.read(entry, depth);
    } else entry.skip();
  }
  if (value === undefined) throw new ProtobufError('a map has a key without a value');
  setOwn(map, key, value);
}

// The unions of a JSON Schema: a schema or a list of schemas, a schema or a boolean, a schema or a list of texts.

/** Converts a value of a union to the fields of its message, and back. */
interface Union {
  readonly fits: (value: JsonValue) => boolean;
  readonly toFields: (value: JsonValue) => JsonObject;
  readonly fromFields: (fields: JsonObject) => JsonValue;
}

const schemaOrList: Union = {
  fits: (value) => value === null || isObject(value) || (Array.isArray(value) && value.length > 0),
  toFields: (value) => (Array.isArray(value) ? { jSONSchemas: value } : schemaFields(value)),
  fromFields: (fields) => fields.schema ?? fields.jSONSchemas ?? null,
};

const schemaOrBool: Union = {
  fits: (value) => typeof value === 'boolean' || isObject(value),
  toFields: (value) => (isObject(value) ? { allows: true, schema: value } : { allows: value }),
  fromFields: (fields) => fields.schema ?? fields.allows ?? false,
};

const schemaOrTexts: Union = {
  fits: (value) => value === null || isObject(value) || (Array.isArray(value) && value.length > 0),
  toFields: (value) => (Array.isArray(value) ? { property: value } : schemaFields(value)),
  fromFields: (fields) => fields.schema ?? fields.property ?? null,
};

function schemaFields(value: JsonValue): JsonObject {
  return isObject(value) ? { schema: value } : {};
}

const unions: ReadonlyMap<string, Union> = new Map([
  ['apiextensions/v1#/JSONSchemaPropsOrArray', schemaOrList],
  ['apiextensions/v1#/JSONSchemaPropsOrBool', schemaOrBool],
  ['apiextensions/v1#/JSONSchemaPropsOrStringArray', schemaOrTexts],
]);

/** Returns the codec of a union, built on the codec of its fields; `undefined` for all other messages. */
export function unionCodec(id: string, fields: ValueCodec): ValueCodec | undefined {
  const union = unions.get(id);
  if (union === undefined) return undefined;
  return {
    wireType: 2,
    fits: union.fits,
    write: (out, field, value) => fields.write(out, field, union.toFields(value)),
    read: (reader, depth) => {
      const read = fields.read(reader, depth);
      return isObject(read) ? union.fromFields(ownFields(read)) : null;
    },
    zero: undefined,
  };
}

function ownFields(read: JsonObject): JsonObject {
  const names = ['schema', 'jSONSchemas', 'allows', 'property'];
  return Object.fromEntries(names.map((name) => [name, getOwn(read, name)]));
}
