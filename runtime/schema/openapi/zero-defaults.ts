/** The defaults in documents for fields that are always present: the zero of the type. */
import type { JsonValue, Schema } from '../../contract/index.js';
import type { SchemaObject } from './document.js';

/**
 * Adds the zero as default in OpenAPI 3 for typed kinds: for fields that are always present, for items and for values.
 * OpenAPI 3.0 ignores keywords next to a reference, so this wraps the reference.
 */
export function withZeroDefault(
  written: SchemaObject,
  node: Schema,
  { version, decoding }: Pick<Conversion, 'version' | 'decoding'>,
  place: NodeRole,
  isReference: boolean,
): SchemaObject {
  if (version !== 3 || decoding !== 'typed' || written.default !== undefined) return written;
  if (place === 'field' && node['x-kindforge-presence'] !== 'always') return written;
  const zero = isReference ? {} : zeroOf(written);
  if (zero === undefined) return written;
  const { $ref, ...others } = written;
  return $ref === undefined ? { ...written, default: zero } : { ...others, default: zero, allOf: [{ $ref }] };
}

/** Returns the zero of a type. The zero of lists, maps and bytes is null, which is not a default. */
function zeroOf({ type, format, properties, additionalProperties, nullable }: SchemaObject): JsonValue | undefined {
  if (nullable === true) return undefined;
  if (type === 'string') return format === 'byte' ? undefined : '';
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  return type === 'object' && properties !== undefined && additionalProperties === undefined ? {} : undefined;
}

/** How to write the nodes of a resource. */
export interface Conversion {
  readonly version: 2 | 3;
  readonly decoding: 'typed' | 'structural';
  /** The emulated release, if any. Leaves out fields that later releases added. */
  readonly release: string | undefined;
  /**
   * Returns the `$ref` to a shared type and the schema of the type. Called for every node with a type name. Returns
   * `undefined` for types that are written at each use.
   */
  readonly reference: (type: string, node: Schema) => { readonly $ref: string; readonly own: Schema } | undefined;
}

/** The role of a node in its parent: a field, or a part (an item or a value). */
export type NodeRole = 'field' | 'part';

/**
 * Returns a node without examples and links to documents, also in its junctors. Returns the same node if it has none.
 */
export function withoutNotes(node: Schema): Schema {
  return hasNotes(node) ? strip(node) : node;
}

const junctorsOf = ({ allOf = [], anyOf = [], oneOf = [], not }: Schema): readonly Schema[] => [
  ...allOf,
  ...anyOf,
  ...oneOf,
  ...(not === undefined ? [] : [not]),
];

function hasNotes(node: Schema): boolean {
  return node.example !== undefined || node.externalDocs !== undefined || junctorsOf(node).some(hasNotesBelow);
}

function hasNotesBelow(part: Schema): boolean {
  const { properties = {}, items, additionalProperties } = part;
  const inner = [...Object.values(properties), items, additionalProperties];
  return hasNotes(part) || inner.some((one) => typeof one === 'object' && hasNotesBelow(one));
}

function strip({ example: _example, externalDocs: _externalDocs, ...rest }: Schema): Schema {
  const { allOf, anyOf, oneOf, not } = rest;
  return {
    ...rest,
    ...(allOf && { allOf: allOf.map(stripBelow) }),
    ...(anyOf && { anyOf: anyOf.map(stripBelow) }),
    ...(oneOf && { oneOf: oneOf.map(stripBelow) }),
    ...(not && { not: stripBelow(not) }),
  };
}

/** Strips a part of a junctor and everything below it, because its parts are not converted one by one. */
function stripBelow(part: Schema): Schema {
  const stripped = strip(part);
  const { properties, items, additionalProperties } = stripped;
  return {
    ...stripped,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, stripBelow(one)])),
    }),
    ...(items && { items: stripBelow(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: stripBelow(additionalProperties) }),
  };
}
