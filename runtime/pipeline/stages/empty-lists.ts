/** Empty lists of fields that are never absent: they count as written, and are stored as null. */
import type { JsonObject, JsonValue, Schema } from '../../contract/index.js';
import { getOwn, isArray, isObject } from '../../objects/guards.js';

/** Where the lists are in the values of a schema; a part of the schema without any has no place. */
export interface ListPlace {
  /** Members that are such lists themselves. */
  readonly lists: readonly string[];
  /** Members that such lists are in. */
  readonly members: ReadonlyMap<string, ListPlace>;
  /** What all items of a list, or all values of a map, are. */
  readonly elements: ListPlace | undefined;
}

/** The places of a schema; `undefined` where it has none. Linear in the schema. */
export function listPlaces(schema: Schema): ListPlace | undefined {
  const properties = Object.entries(schema.properties ?? {});
  const lists = properties.filter(([, property]) => isNeverAbsent(property)).map(([name]) => name);
  const members = new Map(
    properties.flatMap(([name, property]) => {
      const place = listPlaces(property);
      return place ? [[name, place] as const] : [];
    }),
  );
  const inner = schema.items ?? schema.additionalProperties;
  const elements = typeof inner === 'object' ? listPlaces(inner) : undefined;
  return lists.length > 0 || members.size > 0 || elements ? { lists, members, elements } : undefined;
}

const isNeverAbsent = (schema: Schema): boolean =>
  schema.type === 'array' && schema['x-kindforge-presence'] === 'always';

/**
 * Puts null in the place of the empty lists, in place, as they come back from the store: protobuf cannot tell the two
 * apart. Whoever wrote such a list owns it all the same, so this comes after owners are recorded. Visits nothing but what
 * leads to a list.
 */
export function settleEmptyLists(place: ListPlace | undefined, value: JsonValue | undefined): void {
  if (place === undefined) return;
  if (isArray(value)) {
    for (const item of value) settleEmptyLists(place.elements, item);
  } else if (isObject(value)) {
    settleMembers(place, value);
  }
}

function settleMembers({ lists, members, elements }: ListPlace, object: JsonObject): void {
  for (const name of lists) {
    const list = getOwn(object, name);
    if (isArray(list) && list.length === 0) object[name] = null;
  }
  for (const [name, place] of members) settleEmptyLists(place, getOwn(object, name));
  if (elements) for (const key of Object.keys(object)) settleEmptyLists(elements, object[key]);
}
