/** Converts the default of a field, or sets its presence to `always` if the default is an invalid zero. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { takesValue } from '../../runtime/schema/index.js';
import { list } from '../../runtime/schema/read.js';
import { PLAIN, readSchema } from '../../runtime/schema/read-schema.js';

/** Keywords that may refuse a zero. */
const NARROWING = ['enum', 'pattern', 'format', 'minLength', 'minimum', 'minItems', 'minProperties'] as const;

/**
 * Returns the keys for an absent field. Servers in Go announce a default of `{}`, `""` or 0 for each field that they
 * always write, even if the zero is not valid. Such fields are always set, and have no default.
 */
export function zeroOrDefault(source: JsonObject, node: JsonObject): JsonObject {
  const value = source.default;
  if (value === undefined) return {};
  if (!isZero(value)) return { default: value };
  const isNarrowed = NARROWING.some((key) => node[key] !== undefined) || list(node.required).length > 0;
  const isRefused = isNarrowed || node.$ref !== undefined || !takesValue(readSchema(node, PLAIN), value);
  if (isRefused) return { 'x-kindforge-presence': 'always' };
  return { default: value };
}

function isZero(value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false) return true;
  return isObject(value) ? Object.keys(value).length === 0 : Array.isArray(value) && value.length === 0;
}
