/** Maps that an expression makes. */
import { fail } from './error.js';
import { CelMap, type CelValue, Double, isInt, type MapKey, Uint } from './value.js';

interface Entry {
  readonly key: CelValue;
  readonly value: CelValue;
}

/** A map from any keys. */
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

  /** Adds an entry; a key that is there already is an error. */
  insert(key: CelValue, value: CelValue): this {
    const name = keyName(key);
    if (this.entries.has(name)) fail(`insert failed: key ${String(name)} already exists`);
    this.entries.set(name, { key, value });
    return this;
  }

  /** Returns the map of a literal. Entries without a value are left out; a repeated key is an error. */
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

/** Returns a value as the key of a map, the same for whole numbers of all types; `undefined` if it cannot be one. */
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
