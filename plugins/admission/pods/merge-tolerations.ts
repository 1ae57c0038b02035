/** Tolerations of two sources as one list, without those that others cover. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isArray, isInteger, isObject } from '../../../runtime/objects/guards.js';

/** Both lists in their order. Of two that are the same, the first stays; what is not an object is left out. */
export function mergeTolerations(first: JsonValue | undefined, second: JsonValue | undefined): JsonObject[] {
  const all = [first, second].flatMap((list) => (isArray(list) ? list.filter(isObject) : []));
  const merged: JsonObject[] = [];
  for (const [i, one] of all.entries()) {
    if (merged.some((other) => coversToleration(other, one))) continue;
    if (all.slice(i + 1).some((later) => !equal(later, one) && coversToleration(later, one))) continue;
    merged.push(one);
  }
  return merged;
}

/**
 * Whether whatever a toleration tolerates is tolerated by another, for as long. One that leaves out its operator is only
 * covered by any value, though it stands for `Equal`.
 */
export function coversToleration(wide: JsonObject, narrow: JsonObject): boolean {
  if (equal(wide, narrow)) return true;
  if ((wide.key || wide.operator !== 'Exists') && wide.key !== narrow.key) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && !lastsAsLong(wide.tolerationSeconds, narrow.tolerationSeconds)) return false;
  if (wide.operator === 'Exists') return true;
  return !wide.operator || wide.operator === 'Equal'
    ? narrow.operator === 'Equal' && (wide.value || '') === (narrow.value || '')
    : false;
}

/** No seconds are for ever. */
const lastsAsLong = (wide: JsonValue | undefined, narrow: JsonValue | undefined): boolean =>
  !isInteger(wide) || (isInteger(narrow) && narrow <= wide);
