/** Deep copies of decoded values. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { Later, recursionLevels } from './from-below.js';
import { setOwn } from './guards.js';

/**
 * Copies a value and all below it, without keys that hold `undefined`. Costs about a fifth of `structuredClone`,
 * because it only handles plain JSON.
 */
export function clone<T extends JsonValue>(value: T): T;
export function clone(value: JsonValue): JsonValue {
  return copyAt(value, 0);
}

const later = new Later();

function copyAt(value: JsonValue, level: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? cloneArray(value, level + 1) : cloneObject(value, level + 1);
}

function cloneArray(value: readonly JsonValue[], level: number): JsonValue[] {
  const copy: JsonValue[] = [];
  if (level > recursionLevels) later.run(() => fillArray(copy, value, 0));
  else fillArray(copy, value, level);
  return copy;
}

function fillArray(copy: JsonValue[], value: readonly JsonValue[], level: number): void {
  for (let i = 0; i < value.length; i++) copy.push(copyAt(value[i] ?? null, level));
}

function cloneObject(value: JsonObject, level: number): JsonObject {
  const copy: JsonObject = {};
  if (level > recursionLevels) later.run(() => fillObject(copy, value, 0));
  else fillObject(copy, value, level);
  return copy;
}

function fillObject(copy: JsonObject, value: JsonObject, level: number): void {
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    if (typeof child !== 'object' || child === null) setOwn(copy, key, child);
    else setOwn(copy, key, copyAt(child, level));
  }
}
