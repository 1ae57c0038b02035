/** Measures a schema with expanded references. Shared nodes count each time, but are measured once. */
import type { Schema } from '../../runtime/contract/index.js';

export interface Extent {
  /** Number of nodes, as if the schema were a tree. */
  readonly nodes: number;
  /** Levels of nodes. */
  readonly depth: number;
}

/** Maximum number of nodes, more than any real definition has. Nobody could use code for more. */
export const MAX_SCHEMA_NODES = 200_000;

/** Maximum number of levels, more than any real definition has. All later steps may recurse this deep. */
export const MAX_SCHEMA_DEPTH = 300;

const measured = new WeakMap<Schema, Extent>();

/** Returns whether a schema is within both bounds. */
export function isWithinBounds(extent: Extent): boolean {
  return extent.nodes <= MAX_SCHEMA_NODES && extent.depth <= MAX_SCHEMA_DEPTH;
}

/**
 * Measures a schema. Linear in its distinct nodes. Recursion is as deep as one file can nest if types are measured
 * before the schemas that refer to them.
 */
export function extentOf(schema: Schema): Extent {
  const known = measured.get(schema);
  if (known !== undefined) return known;
  let nodes = 1;
  let depth = 0;
  for (const child of childSchemas(schema)) {
    const extent = extentOf(child);
    nodes += extent.nodes;
    depth = Math.max(depth, extent.depth);
  }
  const extent = { nodes: Math.min(nodes, MAX_SCHEMA_NODES + 1), depth: Math.min(depth + 1, MAX_SCHEMA_DEPTH + 1) };
  measured.set(schema, extent);
  return extent;
}

/** Yields the schemas directly below a node. */
export function* childSchemas(schema: Schema): Generator<Schema> {
  if (schema.properties !== undefined) yield* Object.values(schema.properties);
  if (typeof schema.additionalProperties === 'object') yield schema.additionalProperties;
  if (schema.items !== undefined) yield schema.items;
  if (schema.not !== undefined) yield schema.not;
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) yield* schema[key] ?? [];
}
