/** Values as keys of maps. */
import { type CelMap, type CelValue, Double, isInt, type MapKey, Uint } from './value.js';

/** A value as the key of a map: whole numbers of all types are one; `undefined` where it cannot be one. */
export function mapKey(value: CelValue): MapKey | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  if (value instanceof Uint) {
    const number = Number(value.value);
    return Number.isSafeInteger(number) ? number : value.value;
  }
  if (value instanceof Double && Number.isInteger(value.value)) {
    return Number.isSafeInteger(value.value) ? value.value + 0 : BigInt(value.value);
  }
  return undefined;
}

/** The value of a key; `undefined` where there is none. */
export function entryOf(map: CelMap, key: CelValue): CelValue | undefined {
  const name = mapKey(key);
  return name === undefined ? undefined : map.get(name);
}
