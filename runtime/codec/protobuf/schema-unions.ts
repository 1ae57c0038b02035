/** The places of a JSON Schema that hold one of two things: a schema, or a list, a truth value, a list of texts. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';
import type { ValueCodec } from './value-codec.js';

/** Turns what is one value in JSON into the fields of its message, and back. */
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

/** The codec of such a message on top of the one for its fields; undefined for all other messages. */
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
