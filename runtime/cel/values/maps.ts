/** Maps that an expression makes. */
import { fail } from './error.js';
import { mapKey } from './map-key.js';
import { CelMap, type CelValue, Double, type MapKey, Optional } from './value.js';

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
