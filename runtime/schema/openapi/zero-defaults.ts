/** Defaults that documents announce of fields which are always written: the zero that stands for an absent one. */
import type { JsonValue, Schema } from '../../contract/index.js';
import type { Conversion, Place } from './conversion.js';
import type { SchemaObject } from './document.js';

/**
 * A node with its zero as default, in OpenAPI 3 and of typed kinds: of fields that are never missing, and of items and
 * values, which never are. OpenAPI 3.0 ignores what stands beside a reference, so there the reference is wrapped.
 */
export function withZeroDefault(
  written: SchemaObject,
  node: Schema,
  { version, decoding }: Pick<Conversion, 'version' | 'decoding'>,
  place: Place,
  isReference: boolean,
): SchemaObject {
  if (version !== 3 || decoding !== 'typed' || written.default !== undefined) return written;
  if (place === 'field' && node['x-kindforge-presence'] !== 'always') return written;
  const zero = isReference ? {} : zeroOf(written);
  if (zero === undefined) return written;
  const { $ref, ...others } = written;
  return $ref === undefined ? { ...written, default: zero } : { ...others, default: zero, allOf: [{ $ref }] };
}

/** Lists, maps and bytes have a zero of null, which is no default. */
function zeroOf({ type, format, properties, additionalProperties, nullable }: SchemaObject): JsonValue | undefined {
  if (nullable === true) return undefined;
  if (type === 'string') return format === 'byte' ? undefined : '';
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  return type === 'object' && properties !== undefined && additionalProperties === undefined ? {} : undefined;
}
