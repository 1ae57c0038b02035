/** Finds the lists of a schema that are never absent. */
import type { Schema } from '../contract/index.js';

/** The lists in the values of a schema. A part of the schema without lists has no place. */
export interface ListPlace {
  /** Members that are such lists themselves. */
  readonly lists: readonly string[];
  /** Members that contain such lists. */
  readonly members: ReadonlyMap<string, ListPlace>;
  /** The place of all items of a list, or of all values of a map. */
  readonly elements: ListPlace | undefined;
}

/** Returns the places of a schema; `undefined` if it has none. Takes linear time. */
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
