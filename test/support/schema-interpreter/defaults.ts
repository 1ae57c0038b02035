/** Defaults and nulls of structural kinds. */
import type { JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { propertySchema } from './walk.js';

/** Drops nulls that neither may be nor have a default; then fills in defaults. */
export function applyDefaults(schema: Schema, object: JsonObject): void {
  const { apiVersion, kind, metadata, ...properties } = schema.properties ?? {};
  const own = { ...schema, properties };
  pruneNulls(own, object);
  fill(own, object);
}

function pruneNulls(schema: Schema | undefined, value: JsonValue | undefined): void {
  if (Array.isArray(value)) for (const item of value) pruneNulls(schema?.items, item);
  if (!isObject(value) || schema === undefined) return;
  for (const name of Object.keys(value)) {
    const child = propertySchema(schema, name);
    const kept = child === undefined || child.nullable || hasDefault(child);
    if (value[name] === null && !kept) delete value[name];
    else pruneNulls(child, value[name]);
  }
}

/** A default of null is none. */
const hasDefault = (schema: Schema): boolean => (schema.default ?? null) !== null;

const isRefusedNull = (schema: Schema, value: JsonValue | undefined): boolean => value === null && !schema.nullable;

function fill(schema: Schema | undefined, value: JsonValue | undefined): void {
  if (schema === undefined) return;
  const { items } = schema;
  if (Array.isArray(value) && items) {
    value.forEach((item, i) => {
      if (isRefusedNull(items, item)) value[i] = clone(items.default ?? null);
      fill(items, value[i]);
    });
  }
  if (!isObject(value)) return;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!hasDefault(child)) continue;
    if (found === undefined || isRefusedNull(child, found)) set(value, name, clone(child.default ?? null));
  }
  for (const name of Object.keys(value)) {
    const child = propertySchema(schema, name);
    if (child === undefined) continue;
    const isEntry = !Object.hasOwn(schema.properties ?? {}, name);
    if (isEntry && isRefusedNull(child, value[name])) set(value, name, clone(child.default ?? null));
    fill(child, value[name]);
  }
}

export function set(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
