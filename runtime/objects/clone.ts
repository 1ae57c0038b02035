/** Deep copies of decoded values. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { setOwn } from './guards.js';

/**
 * Copies a value and all below it; keys that hold `undefined` are left out. About a fifth of the cost of
 * `structuredClone`, since nothing but plain JSON can occur. Depth is bounded by the decoder.
 */
export function clone<T extends JsonValue>(value: T): T;
export function clone(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? cloneArray(value) : cloneObject(value);
}

function cloneArray(value: readonly JsonValue[]): JsonValue[] {
  const copy: JsonValue[] = [];
  for (let i = 0; i < value.length; i++) copy.push(clone(value[i] ?? null));
  return copy;
}

function cloneObject(value: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    if (typeof child !== 'object' || child === null) setOwn(copy, key, child);
    else setOwn(copy, key, clone(child));
  }
  return copy;
}
