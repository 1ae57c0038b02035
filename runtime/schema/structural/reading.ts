/** Reads the written schemas of definitions before their shape is checked. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isArray, isObject } from '../../objects/guards.js';

/** A schema as written. It may have keywords that are not allowed. */
export type WrittenSchema = JsonObject;

/** Returns the value at a key. Null counts as absent. */
export function valueAt(schema: WrittenSchema | undefined, key: string): JsonValue | undefined {
  const value = schema === undefined ? undefined : getOwn(schema, key);
  return value === null ? undefined : value;
}

/** Returns the schema at a key. */
export function schemaAt(schema: WrittenSchema | undefined, key: string): WrittenSchema | undefined {
  const value = valueAt(schema, key);
  return isObject(value) ? value : undefined;
}

/** Returns the schemas of a map, such as `properties`, by name. */
export function schemasAt(schema: WrittenSchema | undefined, key: string): [name: string, schema: WrittenSchema][] {
  const found: [string, WrittenSchema][] = [];
  for (const [name, value] of Object.entries(schemaAt(schema, key) ?? {}))
    if (isObject(value)) found.push([name, value]);
  return found;
}

/** Returns the schemas of a list, such as `allOf`. */
export function schemaListAt(schema: WrittenSchema | undefined, key: string): WrittenSchema[] {
  return itemsAt(schema, key).map((value) => (isObject(value) ? value : {}));
}

/** Returns the values of a list; empty if there is none. */
export function itemsAt(schema: WrittenSchema | undefined, key: string): readonly JsonValue[] {
  const value = valueAt(schema, key);
  return isArray(value) ? value : [];
}

/** Returns whether a keyword has an effect: it is neither false nor empty. */
export function says(schema: WrittenSchema, key: string): boolean {
  const value = valueAt(schema, key);
  if (isArray(value)) return value.length > 0;
  return value !== undefined && value !== false && value !== '';
}

/** Returns the property of a schema by its name. */
export function propertyOf(schema: WrittenSchema | undefined, name: string): WrittenSchema | undefined {
  return schemaAt(schemaAt(schema, 'properties'), name);
}

/** The keywords with lists of more schemas for the same value. */
export const junctorLists = ['allOf', 'anyOf', 'oneOf'] as const;
