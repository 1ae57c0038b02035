/** Finds the part of a schema that a path leads to, and changes it without changing the schema. */
import type { Schema } from '../../../runtime/contract/index.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { parsePath, type Segment } from '../../../runtime/schema/index.js';
import type { Difference } from '../difference.js';

/** A difference with its path taken apart. */
export interface PlacedDifference extends Difference {
  readonly segments: readonly Segment[];
}

/** The segments of a difference's path; `[]` and `{}` stand for each item of a list and each value of a map. */
export function segmentsOf(path: string): readonly Segment[] | undefined {
  return parsePath(path.replaceAll('{}', '[]'));
}

/** The schema below another one. */
export function childOf(schema: Schema | undefined, segment: Segment): Schema | undefined {
  if (segment !== 'each') return schema?.properties && getOwn(schema.properties, segment.key);
  const { items, additionalProperties } = schema ?? {};
  return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** The part of a schema that segments lead to; `undefined` where there is none. */
export function partAt(schema: Schema | undefined, segments: readonly Segment[]): Schema | undefined {
  return segments.reduce(childOf, schema);
}

/** A copy of a schema with another part at a place, or without one; itself where the place is not there. */
export function withPart(schema: Schema, segments: readonly Segment[], part: Schema | undefined): Schema {
  const [segment, ...rest] = segments;
  if (segment === undefined) return part ?? schema;
  const child = childOf(schema, segment);
  if (rest.length > 0 && child === undefined) return schema;
  const changed = rest.length === 0 ? part : withPart(child ?? {}, rest, part);
  if (segment === 'each') return withEach(schema, changed);
  const { [segment.key]: _, ...others } = schema.properties ?? {};
  return { ...schema, properties: changed === undefined ? others : { ...others, [segment.key]: changed } };
}

function withEach(schema: Schema, part: Schema | undefined): Schema {
  const key = schema.items === undefined ? 'additionalProperties' : 'items';
  const { [key]: _, ...others } = schema;
  return part === undefined ? others : { ...others, [key]: part };
}

/**
 * A copy of a schema in which one keyword at a place is as it is in another schema; of `properties`, only which there
 * are counts, not what they are.
 */
export function withKeywordOf(schema: Schema, other: Schema, segments: readonly Segment[], keyword: string): Schema {
  const [part, model] = [partAt(schema, segments), partAt(other, segments)];
  if (part === undefined || model === undefined) return withPart(schema, segments, model);
  if (keyword === 'properties') return withPart(schema, segments, withPropertiesOf(part, model));
  const { [keyword]: _, ...others }: { readonly [key: string]: unknown } = { ...part };
  const value: unknown = Reflect.get(model, keyword);
  return withPart(schema, segments, value === undefined ? others : { ...others, [keyword]: value });
}

function withPropertiesOf(part: Schema, model: Schema): Schema {
  const { properties: own = {} } = part;
  const { properties: _, ...rest } = part;
  if (model.properties === undefined) return rest;
  const names = Object.entries(model.properties);
  return {
    ...rest,
    properties: Object.fromEntries(names.map(([name, schema]) => [name, getOwn(own, name) ?? schema])),
  };
}
