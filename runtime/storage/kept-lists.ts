/** Lists of the present state that were made lately, for whoever asks for the same before anything in them changes. */
import type { Key, ListOptions } from '../contract/index.js';
import { isUnder } from './keys.js';
import type { StoredEntry } from './stored-entry.js';

/** How many lists are kept; each change is held against all of them. */
const maxLists = 16;

/** Entries in all of them together: 2 MiB of pointers. */
const maxEntries = 262_144;

export interface KeptList {
  readonly prefix: string;
  /** In key order. The same array for all who ask, so that what is made of it can be kept by it. */
  readonly entries: readonly StoredEntry[];
  /** How many keys with the prefix follow the last entry. */
  readonly remaining: number;
}

/** Keeps whole lists and chunks, not filtered ones; the least recently used go first. */
export class KeptLists {
  readonly #lists = new Map<string, KeptList>();
  #entries = 0;

  /** The list, or what `make` makes. */
  of(prefix: string, { after, limit }: ListOptions, make: () => KeptList): KeptList {
    const name = `${limit ?? ''} ${prefix.length} ${prefix}${after ?? ''}`;
    const known = this.#lists.get(name);
    if (known) {
      this.#lists.delete(name);
      this.#lists.set(name, known);
      return known;
    }
    const list = make();
    this.#keep(name, list);
    return list;
  }

  /** Lets go of the lists that a key is or may come to be in, so that they hold no entry that the store does not. */
  forget(key: Key): void {
    for (const [name, list] of this.#lists) {
      if (isUnder(list.prefix, key)) this.#drop(name, list);
    }
  }

  #keep(name: string, list: KeptList): void {
    if (list.entries.length > maxEntries) return;
    this.#lists.set(name, list);
    this.#entries += list.entries.length;
    for (const [oldest, kept] of this.#lists) {
      if (this.#lists.size <= maxLists && this.#entries <= maxEntries) return;
      this.#drop(oldest, kept);
    }
  }

  #drop(name: string, list: KeptList): void {
    this.#lists.delete(name);
    this.#entries -= list.entries.length;
  }
}
