/** Finds the part of a kind's schema that a path of fields leads to. */
import { textOf } from '../../runtime/objects/guards.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { Refusal } from './failure.js';
import { type Fields, fieldsOf, listOf } from './printing.js';

/** The schemas of an OpenAPI 3 document by their names. */
export type Schemas = Fields;

/** A kind in a version of its group. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A part of a schema, and its place in the whole. */
export interface SchemaPart {
  /** With references resolved and `allOf` merged. */
  readonly schema: Fields;
  /** Whether its parent requires it. */
  readonly required: boolean;
  /** As in `spec.size`; empty for the kind itself. */
  readonly path: string;
}

/** Finds the schema of a kind. Throws a `Refusal` if there is none. */
export function schemaOfKind(schemas: Schemas, { group, version, kind }: KindName): Fields {
  const found = Object.values(schemas).find((schema) =>
    listOf(fieldsOf(schema)['x-kubernetes-group-version-kind'])
      .map(fieldsOf)
      .some((one) => one.group === group && one.version === version && one.kind === kind),
  );
  if (found !== undefined) return fieldsOf(found);
  throw new Refusal(`no schema describes the fields of ${kind} in ${group === '' ? version : `${group}/${version}`}`);
}

/**
 * Follows a path of fields, through the items of lists and the values of maps. Throws a `Refusal` if a field does not
 * exist.
 */
export function partAt(schemas: Schemas, kind: Fields, path: readonly string[]): SchemaPart {
  let part: SchemaPart = { schema: resolved(schemas, kind), required: false, path: '' };
  for (const name of path) {
    const within = heldBy(schemas, part.schema);
    const { properties, required } = within;
    const known = fieldsOf(properties);
    if (!Object.hasOwn(known, name)) throw unknownField(name, part.path, Object.keys(known));
    part = {
      schema: resolved(schemas, fieldsOf(known[name])),
      required: listOf(required).includes(name),
      path: part.path === '' ? name : `${part.path}.${name}`,
    };
  }
  return part;
}

function unknownField(name: string, within: string, known: readonly string[]): Refusal {
  const place = within === '' ? 'there' : `in ${within}`;
  if (known.length === 0) return new Refusal(`${within} has no field ${name}: no schema describes its content`);
  return new Refusal(
    `no field ${name}${within === '' ? '' : ` ${place}`}`,
    didYouMean(name, known) ?? `the fields ${place} are ${known.join(', ')}`,
  );
}

/** Returns the fields of a part, by their names. */
export function fieldsWithin(
  schemas: Schemas,
  { schema, path }: SchemaPart,
): readonly (readonly [string, SchemaPart])[] {
  const { properties, required } = heldBy(schemas, schema);
  return Object.entries(fieldsOf(properties))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [
      name,
      {
        schema: resolved(schemas, fieldsOf(value)),
        required: listOf(required).includes(name),
        path: path === '' ? name : `${path}.${name}`,
      },
    ]);
}

/** Names a type, as in `string`, `[]Object`, `map[string]string`. */
export function typeOf(schemas: Schemas, schema: Fields): string {
  const { type, format, items, additionalProperties } = schema;
  if (items !== undefined) return `[]${typeOf(schemas, resolved(schemas, fieldsOf(items)))}`;
  if (typeof additionalProperties === 'object') {
    return `map[string]${typeOf(schemas, resolved(schemas, fieldsOf(additionalProperties)))}`;
  }
  if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string') return 'integer or string';
  if (type === 'object' || schema.properties !== undefined) return 'Object';
  return textOf(type) || 'any';
}

/** Returns the schema of the items of a list or of the values of a map, and any other schema itself. */
function heldBy(schemas: Schemas, schema: Fields): Fields {
  const { items, additionalProperties } = schema;
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return inner === undefined ? schema : heldBy(schemas, resolved(schemas, fieldsOf(inner)));
}

/** Follows the references of a schema. Keys beside a reference replace those behind it. */
function resolved(schemas: Schemas, schema: Fields): Fields {
  const { $ref, allOf, ...own } = schema;
  const behind = typeof $ref === 'string' ? [fieldsOf(schemas[$ref.split('/').at(-1) ?? ''])] : [];
  const parts = [...behind, ...listOf(allOf).map(fieldsOf)].map((one) => resolved(schemas, one));
  return Object.assign({}, ...parts, own);
}
