/** A value as text: how large it is to the reader of a witness, and a key for it. */
import type { JsonValue } from '../../../../runtime/contract/index.js';

/** Characters of the value as JSON, roughly; each part of it counts a little more. */
export function sizeOf(value: JsonValue | undefined): number {
  if (value === undefined) return 0;
  // An empty text is easily overlooked.
  if (typeof value === 'string') return 2 + (value.length || 2);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 2 + sizeOf(item), 2);
  if (typeof value !== 'object' || value === null) return String(value).length;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + 4 + sizeOf(item), 2);
}

/** A value as a key by which equal ones are found. */
export const keyOf = (value: JsonValue): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
