/** Splits a key into columns that operators can read. */
import type { Key } from '../../contract/index.js';

/** The parts of a key: group, resource, namespace, name. */
export type KeyColumns = readonly [string, string, string, string];

/** Splits a key. A key without a namespace has an empty one. */
export function splitKey(key: Key): KeyColumns {
  const first = key.indexOf('/');
  if (first < 0) return [key, '', '', ''];
  const second = key.indexOf('/', first + 1);
  const group = key.slice(0, first);
  if (second < 0) return [group, key.slice(first + 1), '', ''];
  const resource = key.slice(first + 1, second);
  const third = key.indexOf('/', second + 1);
  // An empty part before the name belongs to the name, or it would look like an absent namespace.
  if (third <= second + 1) return [group, resource, '', key.slice(second + 1)];
  return [group, resource, key.slice(second + 1, third), key.slice(third + 1)];
}

/** Returns the expression for the key of a row. `toKey` makes the key from its value. */
export const joined = (table: string): string =>
  `${table}.api_group || '/' || ${table}.resource || '/' || ` +
  `CASE WHEN ${table}.namespace = '' THEN '' ELSE ${table}.namespace || '/' END || ${table}.name`;

/** Makes a key from its joined columns. A slash at the end stands for columns that the key does not have. */
export function toKey(text: string): Key {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x2f) end--;
  return end === text.length ? text : text.slice(0, end);
}
