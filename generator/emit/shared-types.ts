/** Compares schemas with the shared types that they refer to. */
import type { Schema } from '../../runtime/contract/index.js';
import type { SharedType } from '../model.js';

const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)));
};

/** In what a schema differs from the shared type it names; `undefined` where it lacks what the type has. */
export const overridesOf = (schema: Schema, shared: Schema): readonly (readonly [string, unknown])[] | undefined => {
  if (Object.keys(shared).some((key) => !Object.hasOwn(schema, key))) return undefined;
  const differs = ([key, value]: readonly [string, unknown]): boolean =>
    key !== 'x-kindforge-type' && !sameJson(value, Reflect.get(shared, key));
  return Object.entries(schema).filter(differs);
};

/** Keywords that change what the type of a value is. */
const TYPE_KEYWORDS = new Set([
  'type',
  'format',
  'enum',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
]);

/** The shared type that a schema refers to, unless it says something else of the type than the shared one does. */
export const sharedTypeOf = (schema: Schema, types: ReadonlyMap<string, SharedType>): SharedType | undefined => {
  const shared = types.get(schema['x-kindforge-type'] ?? '');
  const overrides = shared === undefined ? undefined : overridesOf(schema, shared.schema);
  return overrides?.some(([key]) => TYPE_KEYWORDS.has(key)) === false ? shared : undefined;
};
