/** Maps that an expression makes. */
import { fail } from './error.js';
import { CelMap, type CelValue, Double, isInt, type MapKey, Optional, Uint } from './value.js';

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

  /** Adds an entry of a literal, where a key may not repeat. */
  literal(key: CelValue, value: CelValue): this {
    const name = keyName(key);
    if (this.entries.has(name)) fail(`Failed with repeated key`);
    this.entries.set(name, { key, value });
    return this;
  }

  /** Adds an entry of a literal where the value is present. */
  optional(key: CelValue, value: CelValue): this {
    if (!(value instanceof Optional)) return fail('no such overload');
    return value.value === undefined ? this : this.literal(key, value.value);
  }
}

function keyName(key: CelValue): MapKey {
  return (key instanceof Double ? undefined : mapKey(key)) ?? fail('unsupported key type');
}

/** A value as the key of a map: whole numbers of all types are one; `undefined` where it cannot be one. */
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

/** The value of a key; `undefined` where there is none. */
export function entryOf(map: CelMap, key: CelValue): CelValue | undefined {
  const name = mapKey(key);
  return name === undefined ? undefined : map.get(name);
}
