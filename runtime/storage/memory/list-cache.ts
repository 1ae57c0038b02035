/** Lists of the present state that were made lately, for whoever asks for the same before anything in them changes. */
import type { EntryFilter, Key, ListOptions } from '../../contract/index.js';
import { isUnder } from '../keys.js';
import type { StoredEntry } from './stored-entry.js';

/** The most lists that are kept; each change is compared with all of them. */
const maxLists = 32;

/** Entries in all of them together: 2 MiB of pointers. */
const maxEntries = 262_144;

/** A list as it is found. */
export interface FoundList {
  /** In key order. The same array for all who ask, so that what is made of it can be kept by it. */
  readonly entries: readonly StoredEntry[];
  /** The number of keys with the prefix behind the last entry. */
  readonly remaining: number;
}

export interface KeptList extends FoundList {
  /** True if it was asked for before. */
  readonly repeated: boolean;
}

/**
 * The key of a list. A filtered one is found by its filter, which is the same object for the same question, and
 * mostly asked of one prefix: of several, the last one is kept.
 */
type Name = EntryFilter | string;

interface Kept {
  readonly list: KeptList;
  readonly prefix: string;
  readonly after: Key | undefined;
  readonly limit: number | undefined;
}

/** Keeps lists, chunks of them, and filtered ones; the least recently used go first. */
export class ListCache {
  readonly #lists = new Map<Name, Kept>();
  /** The name of the one that was asked for last. */
  #latest: Name | undefined;
  #entries = 0;

  /** Returns the list, or the result of `make`. */
  of(prefix: string, { after, limit, only }: ListOptions, make: () => FoundList): KeptList {
    const name = only ?? `${limit ?? ''} ${prefix.length} ${prefix}${after ?? ''}`;
    const known = this.#lists.get(name);
    if (known && known.prefix === prefix && known.after === after && known.limit === limit) {
      if (name !== this.#latest) this.#use(name, known);
      return known.list;
    }
    const { entries, remaining } = make();
    if (known) this.#drop(name, known);
    if (entries.length <= maxEntries) {
      this.#keep(name, { list: { entries, remaining, repeated: true }, prefix, after, limit });
    }
    return { entries, remaining, repeated: false };
  }

  /** Lets go of the lists that a key is or may come to be in, so that they hold no entry that the store does not. */
  forget(key: Key): void {
    for (const [name, kept] of this.#lists) {
      if (isUnder(kept.prefix, key)) this.#drop(name, kept);
    }
  }

  /** Puts a list behind all that were asked for before it. */
  #use(name: Name, kept: Kept): void {
    this.#lists.delete(name);
    this.#lists.set(name, kept);
    this.#latest = name;
  }

  #keep(name: Name, kept: Kept): void {
    this.#use(name, kept);
    this.#entries += kept.list.entries.length;
    for (const [oldest, one] of this.#lists) {
      if (this.#lists.size <= maxLists && this.#entries <= maxEntries) return;
      this.#drop(oldest, one);
    }
  }

  #drop(name: Name, kept: Kept): void {
    this.#lists.delete(name);
    this.#entries -= kept.list.entries.length;
  }
}
