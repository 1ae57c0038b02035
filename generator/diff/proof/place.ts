/** Finds the part of a schema that a difference is about, and replaces it in a copy of the schema. */
import type { Schema } from '../../../runtime/contract/index.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import type { Segment } from '../../../runtime/schema/index.js';
import type { Difference } from '../difference.js';

/** A difference of a schema, split into the parts of its place. */
export interface PlacedDifference extends Difference {
  /** The path to the node with the keyword. */
  readonly parent: readonly Segment[];
  /** The path to the value that differs: to the node, or to the field. */
  readonly segments: readonly Segment[];
}

/** Returns the place of a difference; `undefined` if it is not in a schema. */
export function placed(difference: Difference): PlacedDifference | undefined {
  const { node, property } = difference;
  if (node === undefined) return undefined;
  const parent: Segment[] = [];
  for (let at = 0; at < node.length; at++) {
    if (node[at] !== 'properties') parent.push('each');
    else parent.push({ key: node[++at] ?? '' });
  }
  return { ...difference, parent, segments: property === undefined ? parent : [...parent, { key: property }] };
}

/** Returns the path to the innermost value that an object must have for a difference to matter. */
export function pathOfEffect({ keyword, old, parent, segments }: PlacedDifference): readonly Segment[] {
  if (keyword === 'required') return parent;
  if (keyword === 'default') return segments.slice(0, -1);
  return keyword === 'properties' && old === undefined ? parent : segments;
}

/** Returns the schema below another one. */
export function childOf(schema: Schema | undefined, segment: Segment): Schema | undefined {
  if (segment !== 'each') return schema?.properties && getOwn(schema.properties, segment.key);
  const { items, additionalProperties } = schema ?? {};
  return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** Returns the part of a schema at a path; `undefined` if it does not exist. */
export function partAt(schema: Schema | undefined, segments: readonly Segment[]): Schema | undefined {
  return segments.reduce(childOf, schema);
}

/** Returns a copy of a schema with another part at an existing place. */
export function withPart(schema: Schema, segments: readonly Segment[], part: Schema): Schema {
  const [segment, ...rest] = segments;
  if (segment === undefined) return part;
  const child = childOf(schema, segment);
  if (child === undefined) return schema;
  const changed = withPart(child, rest, part);
  if (segment !== 'each') return { ...schema, properties: { ...schema.properties, [segment.key]: changed } };
  return schema.items === undefined ? { ...schema, additionalProperties: changed } : { ...schema, items: changed };
}
