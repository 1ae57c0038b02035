/** Values of places that ask for no more than a type and some fields: they need not be tried to be known to fit. */
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { setOwn } from '../../../../runtime/objects/guards.js';
import type { Making } from './making.js';
import { below, type PlaceSchemas } from './place-schemas.js';

/** Keywords that refuse nothing, or nothing of the values made here. */
const harmless: ReadonlySet<string> = new Set([
  'type',
  'description',
  'title',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'nullable',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
]);

const scalars: Readonly<Record<string, JsonValue>> = { string: 'a', integer: 1, number: 1, boolean: true, array: [] };

/** The value of a place without further conditions; `undefined` where there are some. */
export function simplest(making: Making, place: PlaceSchemas): JsonValue | undefined {
  const { facets } = place;
  const [type, ...others] = new Set(facets.map((facet) => facet.type));
  if (type === undefined || others.length > 0 || !facets.every(isHarmless)) return undefined;
  return type === 'object' ? object(making, place) : scalars[type];
}

const isHarmless = (schema: Schema): boolean => Object.keys(schema).every((key) => harmless.has(key));

function object(making: Making, place: PlaceSchemas): JsonObject | undefined {
  const result: JsonObject = {};
  for (const name of new Set(place.facets.flatMap(({ required = [] }) => required))) {
    const child = below(place, { key: name });
    if (child.facets.some((facet) => facet.default !== undefined)) continue;
    const value = making.smallest(child);
    if (value === undefined || value === null) return undefined;
    setOwn(result, name, value);
  }
  return result;
}
