/** How schema and value are walked together. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';

export const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

export const inBrackets = (path: string, key: string): string => `${path}[${key}]`;

/** The schema of a property: its own, or that of all further properties; `undefined` where nothing is known. */
export function propertySchema(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Calls a function for each value below an object that a schema describes, with its path. */
export function forEachChild(
  schema: Schema,
  value: JsonValue | undefined,
  path: string,
  keyPath: (path: string, key: string) => string,
  visit: (schema: Schema, value: JsonValue, path: string) => void,
): void {
  const { items } = schema;
  if (Array.isArray(value) && items) for (const [i, item] of value.entries()) visit(items, item, `${path}[${i}]`);
  if (!isObject(value)) return;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (found !== undefined) visit(child, found, below(path, name));
  }
  const rest = schema.additionalProperties;
  if (typeof rest !== 'object') return;
  for (const [key, found] of Object.entries(value)) {
    if (!Object.hasOwn(schema.properties ?? {}, key) && found !== undefined) visit(rest, found, keyPath(path, key));
  }
}

/** A property of a value that may be no object. */
export function own(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
