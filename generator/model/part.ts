/** Reads parts of a definition by the keys of its format. Parts of another shape count as absent. */

import type { ResourceNames } from '../../runtime/contract/index.js';
import { boolean, get, isObject, list, number, oneOf, type Raw, string, strings } from '../../runtime/schema/read.js';
import type { ResourceDefinition } from '../load/definition-format.js';

/** Keys of `T` with values of type `V`. */
type KeysOf<T, V> = { [K in keyof T & string]: Exclude<T[K], undefined> extends V ? K : never }[keyof T & string];

/** The type of one item of a list. */
type ItemOf<T> = T extends readonly (infer Item)[] ? Item : never;

/** The type of one value of a map. */
type EntryOf<T> = T extends Readonly<Record<string, infer Entry>> ? Entry : never;

/** A mapping that should have the keys of `T`. `check` reports other content; readers skip it. */
export class Part<T> {
  constructor(readonly raw: Raw) {}

  /** Whether the mapping exists. */
  get isWritten(): boolean {
    return isObject(this.raw);
  }

  get(key: keyof T & string): Raw {
    return get(this.raw, key);
  }

  string(key: KeysOf<T, string>): string | undefined {
    return string(this.get(key));
  }

  number(key: KeysOf<T, number>): number | undefined {
    return number(this.get(key));
  }

  boolean(key: KeysOf<T, boolean>): boolean | undefined {
    return boolean(this.get(key));
  }

  /** Returns a value if the format allows it. */
  choice<K extends KeysOf<T, string>>(key: K, allowed: readonly (T[K] & string)[]): (T[K] & string) | undefined {
    return oneOf(allowed)(this.get(key));
  }

  /** Returns the strings of a list; empty without a list. */
  strings(key: KeysOf<T, readonly string[]>): readonly string[] {
    return strings(this.get(key));
  }

  /** Returns the strings of a list, or `undefined` without a list. */
  optionalStrings(key: KeysOf<T, readonly string[]>): readonly string[] | undefined {
    return Array.isArray(this.get(key)) ? this.strings(key) : undefined;
  }

  part<K extends KeysOf<T, object>>(key: K): Part<NonNullable<T[K]>> {
    return new Part(this.get(key));
  }

  /** Returns the items of a list of mappings. */
  parts<K extends KeysOf<T, readonly object[]>>(key: K): readonly Part<ItemOf<NonNullable<T[K]>>>[] {
    return list(this.get(key)).map((item) => new Part(item));
  }

  /** Returns the values of a map of mappings, by key. */
  entries<K extends KeysOf<T, object>>(key: K): readonly (readonly [string, Part<EntryOf<NonNullable<T[K]>>>])[] {
    const map = this.get(key);
    return isObject(map) ? Object.entries(map).map(([name, value]) => [name, new Part(value)] as const) : [];
  }
}

/** Names as `spec.names` has them. The singular is the kind in lower case, and the list's kind ends in `List`. */
export function readNames(names: Part<ResourceDefinition['spec']['names']>): ResourceNames {
  const kind = names.string('kind') ?? '';
  return {
    plural: names.string('plural') ?? '',
    singular: names.string('singular') || kind.toLowerCase(),
    kind,
    listKind: names.string('listKind') || `${kind}List`,
    shortNames: names.strings('shortNames'),
    categories: names.strings('categories'),
  };
}
