/** Maps made by expressions. */
import { fail } from './error.js';
import { CelMap, type CelValue, Double, isInt, type MapKey, Uint } from './value.js';

interface Entry {
  readonly key: CelValue;
  readonly value: CelValue;
}

/** A map with keys of any type. */
export class EntryMap extends CelMap {
  private readonly entries = new Map<MapKey, Entry>();

  get size(): number {
    return this.entries.size;
  }

  get(key: MapKey): CelValue | undefined {
    return this.entries.get(key)?.value;
  }

  keys(): readonly CelValue[] {
    return Array.from(this.entries.values(), ({ key }) => key);
  }

  /** Adds an entry. Throws an error if the key exists. */
  insert(key: CelValue, value: CelValue): this {
    const name = keyName(key);
    if (this.entries.has(name)) fail(`insert failed: key ${String(name)} already exists`);
    this.entries.set(name, { key, value });
    return this;
  }

  /** Makes the map of a literal. Leaves out entries without a value. Throws an error for a repeated key. */
  static literal(entries: readonly (readonly [key: CelValue, value: CelValue | undefined])[]): EntryMap {
    const map = new EntryMap();
    for (const [key, value] of entries) {
      if (value === undefined) continue;
      const name = keyName(key);
      if (map.entries.has(name)) fail('Failed with repeated key');
      map.entries.set(name, { key, value });
    }
    return map;
  }
}

function keyName(key: CelValue): MapKey {
  return (key instanceof Double ? undefined : mapKey(key)) ?? fail('unsupported key type');
}

/**
 * Returns the map key of a value, or `undefined` if it cannot be a key. Equal whole numbers of all types have the same
 * key.
 */
function mapKey(value: CelValue): MapKey | undefined {
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

/** Returns the value of a key, or `undefined` if it is absent. */
export function entryOf(map: CelMap, key: CelValue): CelValue | undefined {
  const name = mapKey(key);
  return name === undefined ? undefined : map.get(name);
}
