/**
 * Finds the types that documents hide. Version 2 of OpenAPI has no null, so servers leave out the types of nullable
 * fields, and the types of fields that keep unknown fields.
 */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { list } from '../../runtime/schema/read.js';

const ANYTHING = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';

/** Returns a node with the type that its other keys imply. */
export function typed(source: JsonObject): JsonObject {
  if (source[EMBEDDED] === true) return embedded(source);
  if (source['x-kubernetes-int-or-string'] === true) return source;
  const hasNull = list(source.enum).includes(null);
  const known: JsonObject = hasNull ? { ...source, nullable: true } : source;
  if (source.$ref !== undefined || (source.type ?? undefined) !== undefined) return known;
  return { ...known, ...(typeOfEnum(list(source.enum)) ?? typeOfMarkers(source)) };
}

/** Returns an embedded object as an object with fields, whatever else the node has. */
function embedded(source: JsonObject): JsonObject {
  const { $ref: _ref, additionalProperties: _values, ...rest } = source;
  const isOpen = source.properties === undefined;
  return { ...rest, type: 'object', ...(isOpen ? { [ANYTHING]: true } : {}) };
}

/** Returns the common type of the values of an enum, except null, if there is one. */
function typeOfEnum(values: readonly JsonValue[]): JsonObject | undefined {
  const types = new Set(values.filter((value) => value !== null).map(typeOf));
  if (types.has('number')) types.delete('integer');
  const [type, ...more] = types;
  return type === undefined || type === 'object' || type === 'array' || more.length > 0 ? undefined : { type };
}

function typeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  return typeof value;
}

/** Returns the type that a marker needs. A hidden type that does not keep unknown fields may be null. */
function typeOfMarkers(source: JsonObject): JsonObject | undefined {
  const hasItems = source['x-kubernetes-list-type'] !== undefined;
  if (!hasItems && source['x-kubernetes-map-type'] === undefined) return undefined;
  const isWhole = [ANYTHING, 'items', 'properties', 'additionalProperties'].some((key) => source[key] !== undefined);
  const nullable = isWhole ? {} : { nullable: true };
  return { type: hasItems ? 'array' : 'object', ...nullable };
}
