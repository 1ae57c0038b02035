/** Finds the earlier state of items of a list of type `map`. */
import { getOwn, isObject } from '../objects/guards.js';

/**
 * Returns a function that finds the earlier state of an item by the values of its keys. An item without a key, and a
 * new item, have no earlier state. The first of several old items with the same keys counts.
 */
export function earlierItems<T>(old: readonly T[], keys: readonly string[]): (item: T) => T | undefined {
  const known = new Map<string, T>();
  for (const item of old) {
    const identity = identityOf(item, keys);
    if (identity !== undefined && !known.has(identity)) known.set(identity, item);
  }
  return (item) => {
    const identity = identityOf(item, keys);
    return identity === undefined ? undefined : known.get(identity);
  };
}

function identityOf(item: unknown, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  let identity = '';
  for (const key of keys) {
    const value = getOwn(item, key);
    switch (typeof value) {
      case 'string':
        identity += `${JSON.stringify(value)},`;
        break;
      case 'number':
      case 'bigint':
      case 'boolean':
        identity += `${value},`;
        break;
      default:
        return undefined;
    }
  }
  return identity;
}
