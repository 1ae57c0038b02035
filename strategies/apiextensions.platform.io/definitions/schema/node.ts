/** A schema at its place in another one, with what that place does not allow. */
import type { WrittenSchema } from '../../../../runtime/schema/structural/index.js';
import type { SchemaRatchets } from './settings.js';

export interface SchemaNode {
  readonly schema: WrittenSchema;
  readonly path: string;
  readonly isRoot: boolean;
  /** Whether it describes the apiVersion, kind or metadata of an object, or something in them. */
  readonly isInMeta: boolean;
  /** Why there can be no default here. */
  readonly noDefaults: string | undefined;
  readonly ratchets: SchemaRatchets;
}

/** The root of a schema. */
export function rootNode(schema: WrittenSchema, path: string, ratchets: SchemaRatchets): SchemaNode {
  return { schema, path, isRoot: true, isInMeta: false, noDefaults: undefined, ratchets };
}

/** A schema below another one; `place` continues the path. */
export function nodeBelow(node: SchemaNode, schema: WrittenSchema, place: string): SchemaNode {
  return { ...node, schema, path: `${node.path}.${place}`, isRoot: false };
}
