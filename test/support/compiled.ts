/** Compiled functions for tests, and their results for an object. */
import type { FieldError, JsonObject, Schema, SchemaFunctions } from '../../runtime/contract/index.js';
import { type SchemaOptions, schemaFunctions } from '../../runtime/schema/index.js';

/** The results of decoding and validating an object. */
export interface CompiledResult {
  /** The reason that decoding failed. The object must not be used then. */
  readonly unreadable: string | undefined;
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
  readonly object: JsonObject;
  readonly errors: readonly FieldError[];
}

const compiled = new WeakMap<Schema, SchemaFunctions>();

/** Compiles each schema once. Callers must pass the same options each time. */
export function functionsOf(schema: Schema, options: SchemaOptions = { decoding: 'structural' }): SchemaFunctions {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = schemaFunctions(schema, options);
  compiled.set(schema, made);
  return made;
}

/** Validates an object after decoding it, and changes it in place. */
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
