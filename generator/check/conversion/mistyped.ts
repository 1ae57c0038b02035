/** Finds values of an object that have another type than in its schema. Clients of that version could not read them. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isArray, isObject } from '../../../runtime/objects/guards.js';
import { NOUNS } from './type-nouns.js';

/** A value that is in the wrong place. */
export interface Mistyped {
  /** As in `spec.rules[].host`. */
  readonly path: string;
  readonly problem: string;
}

/** Yields values with a type that the schema does not allow. Ignores fields that the schema does not describe. */
export function* mistyped(value: JsonValue | undefined, schema: Schema, path = ''): Generator<Mistyped> {
  if (value === undefined || value === null) return;
  const wanted = typesOf(schema);
  const found = typeOf(value);
  if (wanted.length > 0 && !wanted.includes(found)) {
    yield { path, problem: `it becomes ${NOUNS[found]}, and is ${wanted.map((one) => NOUNS[one]).join(' or ')} there` };
  } else if (isArray(value)) {
    for (const item of schema.items ? value : []) yield* mistyped(item, schema.items ?? {}, `${path}[]`);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value))
      yield* mistyped(member, memberOf(schema, name), join(path, name));
  }
}

type Type = NonNullable<Schema['type']>;

/** Returns the types that a value may have; empty for any type. */
function typesOf(schema: Schema): readonly Type[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  if (schema.type === undefined) return [];
  return schema.type === 'number' ? ['number', 'integer'] : [schema.type];
}

function typeOf(value: Exclude<JsonValue, null>): Type {
  if (isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'object') return 'object';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : 'number';
}

function memberOf({ properties = {}, additionalProperties }: Schema, name: string): Schema {
  if (Object.hasOwn(properties, name)) return properties[name] ?? {};
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
