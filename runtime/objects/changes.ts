/** The difference between two states of an object, as a JSON patch. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { recursionLevels } from './depth/levels.js';
import { equal } from './equality.js';
import { isArray, isObject } from './guards.js';

/**
 * Lists are compared item by item while they are of one length, and replaced otherwise; so is what nests deeper than
 * 200 levels.
 */
export const changesBetween = (before: JsonValue, after: JsonValue): readonly JsonObject[] =>
  changesBelow(before, after, '', 0);

function changesBelow(before: JsonValue, after: JsonValue, path: string, level: number): readonly JsonObject[] {
  if (equal(before, after)) return [];
  if (level === recursionLevels) return [{ op: 'replace', path, value: after }];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changesAt(before[key], after[key], `${path}/${escaped(key)}`, level + 1));
  }
  if (isArray(before) && isArray(after) && before.length === after.length) {
    return before.flatMap((item, i) => changesAt(item, after[i], `${path}/${i}`, level + 1));
  }
  return [{ op: 'replace', path, value: after }];
}

function changesAt(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  level: number,
): readonly JsonObject[] {
  if (before === undefined) return after === undefined ? [] : [{ op: 'add', path, value: after }];
  return after === undefined ? [{ op: 'remove', path }] : changesBelow(before, after, path, level);
}

/** As RFC 6901 has it. */
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
