/** The defaults that documents show for fields that are never missing: the zero of the type. */
import type { JsonValue, Schema } from '../../contract/index.js';
import type { SchemaObject } from './document.js';

/**
 * Adds the zero as default, in OpenAPI 3 and for typed kinds: for fields that are never missing, and for items and
 * values. OpenAPI 3.0 ignores keywords beside a reference, so the reference is wrapped.
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

/** Returns the zero of a type. Lists, maps and bytes have null, which is not a default. */
function zeroOf({ type, format, properties, additionalProperties, nullable }: SchemaObject): JsonValue | undefined {
  if (nullable === true) return undefined;
  if (type === 'string') return format === 'byte' ? undefined : '';
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  return type === 'object' && properties !== undefined && additionalProperties === undefined ? {} : undefined;
}

/** How one resource's nodes are written. */
export interface Conversion {
  readonly version: 2 | 3;
  readonly decoding: 'typed' | 'structural';
  /** Leaves out fields added after this release; by default none. */
  readonly release: string | undefined;
  /**
   * The `$ref` to a shared type, and the type's own schema; called for every node that has a name. Undefined for
   * types that are written in place wherever they are used.
   */
  readonly reference: (type: string, node: Schema) => { readonly $ref: string; readonly own: Schema } | undefined;
}

/** The place of a node in the one around it: a field with a meaning of its own, or an item or value among others. */
export type NodeRole = 'field' | 'part';

/**
 * Returns a node without examples and links to documents, in itself and in its junctors. Returns the same node if it
 * has none.
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

/** Strips a part of a junctor and everything below it, as its parts are not converted one by one. */
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
