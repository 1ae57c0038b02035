/** Live entries of one resource, sorted by what one label or field says, then by key. */
import type { Key } from '../../contract/index.js';
import { KeyOrder } from '../collections/key-order.js';
import { SortedChunks } from '../collections/sorted-chunks.js';
import type { StoredEntry } from './stored-entry.js';

interface ValuePlace {
  readonly value: string;
  readonly key: Key;
}

/** Reads the value of an entry; `undefined` keeps it out of the index. */
export type ValueReader = (entry: StoredEntry) => string | undefined;

/** One list for all values: it costs the same 10 bytes per entry whether they have one value or all another. */
export class ValueIndex extends SortedChunks<StoredEntry, ValuePlace> {
  readonly #order = new KeyOrder();
  readonly #read: ValueReader;

  /** `pieces` are all entries, in key order. */
  constructor(read: ValueReader, pieces: Iterable<readonly StoredEntry[]>) {
    super();
    this.#read = read;
    const byValue = new Map<string, StoredEntry[]>();
    for (const piece of pieces) {
      for (const entry of piece) this.#collect(entry, byValue);
    }
    const values = [...byValue].sort(([a], [b]) => (a < b ? -1 : 1));
    this.append(values.flatMap(([, entries]) => entries));
  }

  /** Follows a change of one key. */
  replace(old: StoredEntry | undefined, next: StoredEntry | undefined): void {
    const before = old && this.#read(old);
    const after = next && this.#read(next);
    if (old && before !== undefined && before !== after) this.remove({ value: before, key: old.key });
    if (!next || after === undefined) return;
    this.#order.admit(next.key);
    this.put(next);
  }

  protected override placeOf(entry: StoredEntry): ValuePlace {
    return { value: this.#read(entry) ?? '', key: entry.key };
  }

  protected override precedes(a: ValuePlace, b: ValuePlace): boolean {
    return a.value === b.value ? this.#order.precedes(a.key, b.key) : a.value < b.value;
  }

  #collect(entry: StoredEntry, byValue: Map<string, StoredEntry[]>): void {
    const value = this.#read(entry);
    if (value === undefined) return;
    this.#order.admit(entry.key);
    const entries = byValue.get(value);
    if (entries) entries.push(entry);
    else byValue.set(value, [entry]);
  }
}
