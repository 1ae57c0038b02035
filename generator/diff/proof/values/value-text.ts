/** The size of a value for a person who reads it, and its key in maps. */
import type { JsonValue } from '../../../../runtime/contract/index.js';

/** Returns the approximate number of characters of the value as JSON; each part counts a little more. */
export function sizeOf(value: JsonValue | undefined): number {
  if (value === undefined) return 0;
  // An empty text is easy to overlook.
  if (typeof value === 'string') return 2 + (value.length || 2);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 2 + sizeOf(item), 2);
  if (typeof value !== 'object' || value === null) return String(value).length;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + 4 + sizeOf(item), 2);
}

/** Returns a key that equal values share. */
export const keyOf = (value: JsonValue): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
