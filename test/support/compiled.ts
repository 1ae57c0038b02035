/** Compiled functions for tests, and everything that they make of an object. */
import type { FieldError, JsonObject, Schema, SchemaFunctions } from '../../runtime/contract/index.js';
import { type SchemaOptions, schemaFunctions } from '../../runtime/schema/index.js';

/** Everything that decoding and validation of an object come to. */
export interface CompiledResult {
  /** Why the object cannot be read; it is then of no use. */
  readonly unreadable: string | undefined;
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
  readonly object: JsonObject;
  readonly errors: readonly FieldError[];
}

const compiled = new WeakMap<Schema, SchemaFunctions>();

/** The functions of a schema; compiled once per schema, which always goes with the same options. */
export function functionsOf(schema: Schema, options: SchemaOptions = { decoding: 'structural' }): SchemaFunctions {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = schemaFunctions(schema, options);
  compiled.set(schema, made);
  return made;
}

/** Decodes and validates an object, which is changed in place. */
export function run(functions: SchemaFunctions, object: JsonObject): CompiledResult {
  const unknown: string[] = [];
  const errors: FieldError[] = [];
  const unreadable = functions.normalize?.(object)?.message;
  if (unreadable !== undefined) return { unreadable, unknown, object, errors };
  functions.prune(object, (path) => unknown.push(path));
  functions.applyDefaults(object);
  functions.validate(object, errors);
  return { unreadable, unknown, object, errors };
}
