/** Lists that are sets or maps. */
import type { FieldError, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue } from '../../../runtime/objects/field-error.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { forEachChild, inBrackets } from './walk.js';

export function checkLists(schema: Schema, value: JsonValue | undefined, path: string, errors: FieldError[]): void {
  const type = schema['x-kubernetes-list-type'];
  if (Array.isArray(value) && type === 'set') checkRepeats(value, path, errors);
  if (Array.isArray(value) && type === 'map') checkKeys(schema, value, path, errors);
  forEachChild(schema, value, path, inBrackets, (child, item, at) => checkLists(child, item, at, errors));
}

function checkKeys(schema: Schema, value: readonly JsonValue[], path: string, errors: FieldError[]): void {
  const stray = value.findIndex((item) => item !== null && !isObject(item));
  if (stray !== -1) {
    errors.push(invalidValue(`${path}[${stray}]`, value[stray], 'must be an object for an array of list-type map'));
    return;
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysOf = (item: JsonValue): JsonValue =>
    Object.fromEntries(Object.entries(isObject(item) ? item : {}).filter(([name]) => keys.includes(name)));
  checkRepeats(value.map(keysOf), path, errors);
}

/** Of values that occur more than once, the second occurrence is reported. */
function checkRepeats(keys: readonly JsonValue[], path: string, errors: FieldError[]): void {
  const texts = keys.map((key) => JSON.stringify(key, sortedKeys));
  texts.forEach((text, i) => {
    const isSecond = texts.slice(0, i).filter((other) => other === text).length === 1;
    if (isSecond) errors.push(duplicate(`${path}[${i}]`, keys[i]));
  });
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `int ${value}`;
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
