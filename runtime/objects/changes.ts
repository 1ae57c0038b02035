/** The difference between two states of an object, as a JSON patch. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { equal } from './equality.js';
import { isArray, isObject } from './guards.js';

/** Lists are compared item by item while they are of one length, and replaced otherwise. */
export function changesBetween(before: JsonValue, after: JsonValue, path = ''): readonly JsonObject[] {
  if (equal(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changesAt(before[key], after[key], `${path}/${escaped(key)}`));
  }
  if (isArray(before) && isArray(after) && before.length === after.length) {
    return before.flatMap((item, i) => changesAt(item, after[i], `${path}/${i}`));
  }
  return [{ op: 'replace', path, value: after }];
}

function changesAt(before: JsonValue | undefined, after: JsonValue | undefined, path: string): readonly JsonObject[] {
  if (before === undefined) return after === undefined ? [] : [{ op: 'add', path, value: after }];
  return after === undefined ? [{ op: 'remove', path }] : changesBetween(before, after, path);
}

/** As RFC 6901 has it. */
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
