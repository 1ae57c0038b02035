/**
 * Checks an object against the schema that its server publishes, with the server's own schema engine. The engine is
 * loaded with the first check, so pages without checks do not load it.
 */
import type { JsonObject, JsonValue, Place, Schema, SchemaFunctions } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { getOwn, isObject } from '../../runtime/objects/guards.js';
import { Copier, pathOf, schemaFunctions, violationAt } from '../../runtime/schema/index.js';
import type { OpenApiSchema } from './open-api-schema.js';
import type { KindSchema } from './schema-documents.js';
import { commonFormats, toSchema } from './to-schema.js';

/** A place where an object does not fit the schema. */
export interface SchemaFinding {
  /** As in `spec.containers[0].image`; empty for the object itself. */
  readonly path: string;
  /** `type` also covers a text in the wrong format, as on servers. */
  readonly reason: 'unknown' | 'missing' | 'type' | 'value';
  /** In the server's words, as in `Invalid value: "string": must be of type integer`. */
  readonly message: string;
}

/**
 * Returns all mismatches: unknown fields in the order of the object, then errors in the order of the schema. Ignores
 * fields that the server fills in. Ignores rules that only the server can check: formats that this program does not
 * know, CEL rules, admission.
 */
export function checkAgainst(object: object, kind: KindSchema): SchemaFinding[] {
  const copier = new Copier();
  const written = copier.copy(object, '');
  if (copier.violation !== undefined) return [copier.violation];
  const { schema, functions } = compiled(kind);
  const stored: JsonObject = { object: clone(written) };
  functions.prune(stored, () => {});
  const unknown = [...missingFrom(stored.object, written, [])].map((place) => unknownField(place, schema));
  functions.applyDefaults(stored);
  const errors: SchemaFinding[] = [];
  functions.validate(stored, {
    push: () => {},
    pushAt(error, [, ...place]) {
      const found = violationAt(pathOf(place), error);
      const judged = found.reason === 'missing' ? place.slice(0, -1) : place;
      if (isWritten(written, judged)) errors.push(found);
    },
  });
  return [...unknown, ...errors];
}

interface Compiled {
  readonly schema: Schema;
  readonly functions: SchemaFunctions;
}

const known = new WeakMap<OpenApiSchema, Compiled>();

/** Compiles a schema as the schema of a field, because the engine does not check kind and metadata of whole objects. */
function compiled(kind: KindSchema): Compiled {
  const found = known.get(kind.schema);
  if (found !== undefined) return found;
  const schema = toSchema(kind);
  const functions = schemaFunctions(
    { type: 'object', properties: { object: schema } },
    { decoding: 'structural', formats: commonFormats },
  );
  const made = { schema, functions };
  known.set(kind.schema, made);
  return made;
}

/** Yields the places of fields that a copy of a value lacks. */
function* missingFrom(copy: JsonValue | undefined, value: JsonValue | undefined, place: Place): Generator<Place> {
  if (Array.isArray(copy) && Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* missingFrom(copy[i], item, [...place, i]);
  } else if (isObject(copy) && isObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (Object.hasOwn(copy, name)) yield* missingFrom(copy[name], field, [...place, name]);
      else yield [...place, name];
    }
  }
}

function unknownField(place: Place, schema: Schema): SchemaFinding {
  const near = nearest(String(place.at(-1)), fieldsAt(schema, place.slice(0, -1)));
  const message = near === undefined ? 'unknown field' : `unknown field; did you mean ${near}?`;
  return { path: pathOf(place), reason: 'unknown', message };
}

/** Returns the field that the user probably meant: it differs only in case, or by an `s` at its end. */
function nearest(name: string, fields: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/s$/, '');
  return fields.find((field) => plain(field) === plain(name));
}

/** Returns the names of the fields that a schema has at a place. */
function fieldsAt(root: Schema, place: Place): readonly string[] {
  const types = new Map<string, Schema>();
  const resolved = (schema: Schema): Schema => {
    const { 'x-kindforge-type': type, 'x-kindforge-within': within } = schema;
    if (type !== undefined) types.set(type, schema);
    return (within === undefined ? undefined : types.get(within)) ?? schema;
  };
  let schema = resolved(root);
  for (const step of place) {
    const { properties = {}, additionalProperties: values, items } = schema;
    const field = Object.hasOwn(properties, step) ? properties[step] : typeof values === 'object' ? values : {};
    schema = resolved((typeof step === 'number' ? items : field) ?? {});
  }
  return Object.keys(schema.properties ?? {});
}

/** Returns whether there is a value at a place. Null does not count. */
function isWritten(whole: JsonValue, place: Place): boolean {
  let value: JsonValue | undefined = whole;
  for (const step of place) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isObject(value) ? getOwn(value, step) : undefined;
  }
  return value !== undefined && value !== null;
}
