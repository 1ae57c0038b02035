/** Paths of fields as differences name them, as in `spec.rules[].host` and `spec.labels{}`. */
import { formatPath } from '../../../runtime/schema/index.js';

/** The path of a field of the object at `parent`. */
export function fieldOf(parent: string, name: string): string {
  const written = formatPath([{ key: name }]);
  return parent === '' || written.startsWith('[') ? `${parent}${written}` : `${parent}.${written}`;
}

/** The path of the items of the list at `parent`. */
export const itemsOf = (parent: string): string => `${parent}[]`;

/** The path of the values of the map at `parent`. */
export const valuesOf = (parent: string): string => `${parent}{}`;
