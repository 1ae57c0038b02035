/** Converts the default of a field: to a default, or to a zero that is always there where it could not be one. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { list } from '../../runtime/schema/reading/read.js';

const INT_OR_STRING = 'x-kubernetes-int-or-string';

/** Keys that a zero may not keep. */
const NARROWING = ['enum', 'pattern', 'format', 'minLength', 'minimum', 'minItems', 'minProperties'] as const;

/**
 * The keys that say what an absent field is. Servers that are written in Go announce a default of `{}`, `""` or 0 for
 * each field that they always write, also where the zero is no valid value; such fields are always there, and have no
 * default.
 */
export function zeroOrDefault(source: JsonObject, node: JsonObject): JsonObject {
  const value = source.default;
  if (value === undefined) return {};
  if (!isZero(value)) return { default: value };
  const isNarrowed = NARROWING.some((key) => node[key] !== undefined) || list(node.required).length > 0;
  if (isNarrowed || node.$ref !== undefined || !isOfType(value, node)) return { 'x-kindforge-presence': 'always' };
  return { default: value };
}

/** Whether a zero has the type of its field. `{}` is what servers in Go announce for any type that they write themselves. */
function isOfType(value: JsonValue, { type, [INT_OR_STRING]: isIntOrString }: JsonObject): boolean {
  if (isIntOrString === true) return value === '' || value === 0;
  switch (type) {
    case undefined:
      return true;
    case 'integer':
    case 'number':
      return value === 0;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function isZero(value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false) return true;
  return isObject(value) ? Object.keys(value).length === 0 : Array.isArray(value) && value.length === 0;
}
