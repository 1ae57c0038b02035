/** Copies JSON values. */

import { isObject } from '../runtime/objects/guards.js';

/** Copies a value with everything in it, at any depth. */
export function copyOf<T>(value: T): T {
  const whole = { value };
  const waiting: object[] = [whole];
  for (const container of waiting) {
    for (const [key, held] of Object.entries(container)) {
      if (typeof held !== 'object' || held === null) continue;
      const copy = Array.isArray(held) ? [...held] : { ...held };
      Object.defineProperty(container, key, { value: copy, enumerable: true, configurable: true, writable: true });
      waiting.push(copy);
    }
  }
  return whole.value;
}

/** Returns whether two values are the same at any depth. The order of members does not count. */
export function isEqual(left: unknown, right: unknown): boolean {
  const pairs: [left: unknown, right: unknown][] = [[left, right]];
  for (const [one, other] of pairs) {
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return false;
      for (const [index, item] of one.entries()) pairs.push([item, other[index]]);
    } else if (isObject(one) && isObject(other)) {
      const names = Object.keys(one);
      if (names.length !== Object.keys(other).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(other, name)) return false;
        pairs.push([one[name], other[name]]);
      }
    } else if (one !== other) return false;
  }
  return true;
}
