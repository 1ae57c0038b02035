/** Cuts a schema down to the parts that a release has. */
import type { Schema } from '../contract/index.js';
import { isReached, type Lifetime } from '../objects/release.js';

/** Returns whether a release has a field or keyword with this lifetime. */
export type IsThere = (lifetime: Lifetime) => boolean;

/**
 * Returns a function that cuts schemas for one release. Leaves out fields that the release does not have, and restores
 * keywords that later releases changed. Returns parts without changes as they are, and cuts a part that several schemas
 * share only once.
 */
export function cutSchemas(release: string, isThere: IsThere): (schema: Schema) => Schema {
  const schemas = new WeakMap<Schema, Schema>();
  const maps = new WeakMap<object, Readonly<Record<string, Schema>>>();
  const cut = (schema: Schema): Schema => {
    const known = schemas.get(schema);
    if (known !== undefined) return known;
    const made = withParts(schemaBefore(schema, release), cut, cutFields);
    schemas.set(schema, made);
    return made;
  };
  const cutFields = (fields: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> => {
    const known = maps.get(fields);
    if (known !== undefined) return known;
    const all = Object.entries(fields);
    const left = all
      .filter(([, field]) => isThere(lifetimeOf(field)))
      .map(([name, field]): [string, Schema] => [name, cut(field)]);
    const isSame = left.length === all.length && left.every(([name, field]) => fields[name] === field);
    const made = isSame ? fields : Object.fromEntries(left);
    maps.set(fields, made);
    return made;
  };
  return cut;
}

/** Returns the lifetime of a field: the releases that added and removed it. */
export const lifetimeOf = (field: Schema): Lifetime => ({
  introduced: field['x-kindforge-introduced'],
  removed: field['x-kindforge-removed'],
});

/**
 * Returns the schema with the keywords that it had before the changes of later releases. Undoes the latest change
 * first.
 */
export function schemaBefore(schema: Schema, release: string): Schema {
  const earlier = schema['x-kindforge-before'];
  if (earlier === undefined) return schema;
  const { 'x-kindforge-before': _, ...latest } = schema;
  const keywords = Object.entries(earlier)
    .filter(([since]) => !isReached(since, release))
    .toReversed()
    .flatMap(([, changed]) => Object.entries(changed));
  const made = new Map<string, unknown>(Object.entries(latest));
  for (const [keyword, value] of keywords) {
    if (value === null) made.delete(keyword);
    else made.set(keyword, value);
  }
  return Object.fromEntries(made);
}

function withParts(
  schema: Schema,
  cut: (schema: Schema) => Schema,
  cutFields: (fields: Readonly<Record<string, Schema>>) => Readonly<Record<string, Schema>>,
): Schema {
  const { properties, additionalProperties, items, required } = schema;
  const fields = properties && cutFields(properties);
  const values = typeof additionalProperties === 'object' ? cut(additionalProperties) : additionalProperties;
  const item = items && cut(items);
  if (fields === properties && values === additionalProperties && item === items) return schema;
  return {
    ...schema,
    ...(fields === undefined ? {} : { properties: fields }),
    ...(required === undefined || fields === undefined
      ? {}
      : { required: required.filter((name) => Object.hasOwn(fields, name) || !Object.hasOwn(properties ?? {}, name)) }),
    ...(values === undefined ? {} : { additionalProperties: values }),
    ...(item === undefined ? {} : { items: item }),
  };
}
