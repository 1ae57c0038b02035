/** Objects made by chance of the values that a value maker knows, the same at each run. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { setOwn } from '../../../runtime/objects/guards.js';
import type { Making } from './values/making.js';
import { below, namesIn, type PlaceSchemas } from './values/place-schemas.js';

/** Values of one object; beyond, there are no optional ones. */
const MAX_VALUES = 300;

/** Makes an object of a place at each call. */
export function randomObjects(making: Making, root: PlaceSchemas, random: () => number): () => JsonObject {
  let made = 0;
  const density = (): number => (made > MAX_VALUES ? 0 : 0.5);
  const pick = (values: readonly JsonValue[]): JsonValue | undefined => values[Math.floor(random() * values.length)];
  const value = (place: PlaceSchemas): JsonValue | undefined => {
    made++;
    if (namesIn(place).length > 0 && random() < 0.9) return object(place);
    const items = below(place, 'each');
    if (items.facets.length > 0 && random() < 0.7) return several(place, items);
    return random() < 0.4 ? making.smallest(place) : pick(making.values(place, 40));
  };
  const several = (place: PlaceSchemas, items: PlaceSchemas): JsonValue => {
    const isList = place.facets.some((facet) => facet.items !== undefined);
    const count = made > MAX_VALUES ? 0 : Math.floor(random() * 3);
    const values = Array.from({ length: count }, () => value(items) ?? null);
    return isList ? values : Object.fromEntries(values.map((each, at) => [`k${at}`, each]));
  };
  const object = (place: PlaceSchemas): JsonObject => {
    const required = new Set(place.own?.required ?? []);
    const result: JsonObject = {};
    for (const name of namesIn(place)) {
      if (random() >= (required.has(name) ? 0.98 : density())) continue;
      const found = value(below(place, { key: name }));
      if (found !== undefined) setOwn(result, name, found);
    }
    return result;
  };
  return () => {
    made = 0;
    return object(root);
  };
}
