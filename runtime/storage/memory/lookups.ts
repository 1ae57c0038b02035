/** Finds entries without testing each: by a label or a field value, and in recent lists. */
import type { Attributes, Condition, EntryFilter, FieldReader, Key, ListOptions } from '../../contract/index.js';
import { getOwn } from '../../objects/guards.js';
import { compareKeys, isUnder, rangeOf, resourceOf } from '../keys.js';
import { KeyOrder, mergeAll, type OrderedIndex, SortedChunks } from '../ordered-index.js';
import type { StoredEntry } from './stored-entry.js';

/** With fewer entries than this, testing each is fast enough. */
const MIN_ENTRIES = 64;
/** The most indexes of one resource. The least recently used is dropped first. Each costs 10 bytes for every object. */
const MAX_PER_RESOURCE = 8;
/** The time after which an unused index is dropped, in milliseconds. */
const MAX_UNUSED_MS = 10 * 60_000;
/** The most labels that are remembered after one query. */
const MAX_ASKED = 1024;

interface Kept {
  readonly index: ValueIndex;
  readonly usedAt: number;
}

/** The entries that meet one condition. */
interface Found {
  readonly count: number;
  readonly pieces: () => Iterable<readonly StoredEntry[]>;
}

/**
 * Builds an index with the second query for a label, because building it costs a few times as much as testing all
 * entries. Then updates it with each change of its resource, which takes a few microseconds.
 */
export class AttributeIndexes {
  readonly #live: OrderedIndex<StoredEntry>;
  readonly #now: () => number;
  /** By resource, then by condition. The least recently used index is the first. */
  readonly #kept = new Map<string, Map<string, Kept>>();
  readonly #asked = new Set<string>();

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(live: OrderedIndex<StoredEntry>, now: () => number) {
    this.#live = live;
    this.#now = now;
  }

  /** The number of indexes. */
  get size(): number {
    let size = 0;
    for (const kept of this.#kept.values()) size += kept.size;
    return size;
  }

  /**
   * Returns the live entries under a prefix and after a key that meet one of the filter's conditions, in key order and
   * in pieces. Chooses the condition that the fewest entries meet. Returns `undefined` if that would save little:
   * `size` is the number of all entries.
   */
  narrow(
    prefix: string,
    after: Key | undefined,
    { conditions }: EntryFilter,
    size: number,
  ): Iterable<readonly StoredEntry[]> | undefined {
    const resource = resourceOf(prefix);
    const range = rangeOf(prefix);
    if (size < MIN_ENTRIES || resource === '' || range?.end === undefined) return undefined;
    const start = startBehind(range.start, after);
    let best: Found | undefined;
    for (const condition of conditions) {
      if (best && best.count < MIN_ENTRIES) break;
      const index = this.#indexFor(resource, condition);
      const found = index && findIn(index, condition.values ?? [''], start, range.end);
      if (found && found.count < (best?.count ?? size / 2)) best = found;
    }
    return best?.pieces();
  }

  /** Updates the indexes with a change of one key. */
  replace(key: Key, old: StoredEntry | undefined, next: StoredEntry | undefined): void {
    if (this.#kept.size === 0) return;
    const kept = this.#kept.get(resourceOf(key));
    if (!kept) return;
    for (const { index } of kept.values()) index.replace(old, next);
  }

  /** Drops indexes that were not used for long. */
  trim(): void {
    const deadline = this.#now() - MAX_UNUSED_MS;
    for (const [resource, kept] of this.#kept) {
      for (const [name, { usedAt }] of kept) if (usedAt < deadline) kept.delete(name);
      if (kept.size === 0) this.#kept.delete(resource);
    }
  }

  #indexFor(resource: string, condition: Condition): ValueIndex | undefined {
    const name = `${condition.of}${numberOf(condition.read)}${condition.values ? '=' : '?'}${condition.key}`;
    const kept = this.#kept.get(resource) ?? new Map<string, Kept>();
    const known = kept.get(name);
    if (!known && !this.#hasBeenAsked(resource + name)) return undefined;
    const index = known?.index ?? this.#build(resource, condition);
    kept.delete(name);
    kept.set(name, { index, usedAt: this.#now() });
    this.#kept.set(resource, kept);
    for (const [oldest] of kept) {
      if (kept.size <= MAX_PER_RESOURCE) break;
      kept.delete(oldest);
    }
    return index;
  }

  #hasBeenAsked(name: string): boolean {
    if (this.#asked.delete(name)) return true;
    if (this.#asked.size === MAX_ASKED) this.#asked.clear();
    this.#asked.add(name);
    return false;
  }

  #build(resource: string, condition: Condition): ValueIndex {
    const end = rangeOf(resource)?.end ?? '';
    const pieces = this.#live.pieces(this.#live.rank(resource), this.#live.rank(end));
    return new ValueIndex(readerOf(condition), pieces);
  }
}

/**
 * Returns the first key that may be listed. No key comes between a key and the same key with a zero character at its
 * end.
 */
function startBehind(start: Key, after: Key | undefined): Key {
  if (after === undefined || compareKeys(after, start) < 0) return start;
  return `${after}\0`;
}

function findIn(index: ValueIndex, values: readonly string[], start: Key, end: Key): Found {
  const ranges = values.map((value) => ({
    start: index.rank({ value, key: start }),
    end: index.rank({ value, key: end }),
  }));
  const count = ranges.reduce((sum, range) => sum + range.end - range.start, 0);
  const filled = ranges.filter((range) => range.end > range.start);
  const [only] = filled;
  if (only && filled.length === 1) return { count, pieces: () => index.pieces(only.start, only.end) };
  return { count, pieces: () => one(mergeAll(filled.map((range) => items(index.pieces(range.start, range.end))))) };
}

/** Numbers readers. A changed definition has a new reader, so it gets its own index. */
function numberOf(read: FieldReader | undefined): number | '' {
  if (!read) return '';
  const number = numbers.get(read) ?? ++lastNumber;
  numbers.set(read, number);
  return number;
}

const numbers = new WeakMap<FieldReader, number>();
let lastNumber = 0;

function readerOf({ of, key, values, read }: Condition): ValueReader {
  if (read) return (entry) => getOwn(read(entry), key) ?? '';
  if (of === 'fields') return ({ attributes: { fields } }) => (Object.hasOwn(fields, key) ? fields[key] : '');
  if (values) return ({ attributes: { labels } }) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  return ({ attributes: { labels } }) => (Object.hasOwn(labels, key) ? '' : undefined);
}

function* items(pieces: Iterable<readonly StoredEntry[]>): Generator<StoredEntry> {
  for (const piece of pieces) yield* piece;
}

function* one(entries: Iterable<StoredEntry>): Generator<readonly StoredEntry[]> {
  for (const entry of entries) yield [entry];
}

interface ValuePlace {
  readonly value: string;
  readonly key: Key;
}

/** Reads the value of an entry; `undefined` keeps it out of the index. */
type ValueReader = (entry: StoredEntry) => string | undefined;

/** One list for all values. It costs 10 bytes per entry, however many values there are. */
class ValueIndex extends SortedChunks<StoredEntry, ValuePlace> {
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

  /** Updates the index with a change of one key. */
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

/** The most sets of labels that are kept. With one more, all are forgotten. */
const CAPACITY = 4096;

const NO_FIELDS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Shares equal attributes. Objects of one owner mostly have equal labels, and most kinds have no selectable fields.
 * Their own copy would take some 200 bytes in each object, an eighth of a small object.
 */
export class AttributePool {
  readonly #byLabels = new Map<string, Attributes>();

  /** Returns equal attributes that other entries may share. */
  share(attributes: Attributes): Attributes {
    if (attributes.outdated) return attributes;
    const { labels, fields } = attributes;
    const key = JSON.stringify(labels);
    let shared = this.#byLabels.get(key);
    if (!shared) {
      if (this.#byLabels.size === CAPACITY) this.#byLabels.clear();
      shared = { labels, fields: NO_FIELDS };
      this.#byLabels.set(key, shared);
    }
    return isEmpty(fields) ? shared : { labels: shared.labels, fields };
  }
}

function isEmpty(record: Readonly<Record<string, string>>): boolean {
  for (const _ in record) return false;
  return true;
}

// Recent lists of the present state, for the next caller that asks for the same before anything in them changes.

/** The most lists that are kept. Each change is compared with all of them. */
const maxLists = 32;

/** The most entries in all of them together: 2 MiB of pointers. */
const maxEntries = 262_144;

/** A list as the store returns it. */
export interface FoundList {
  /** In key order. All callers get the same array, so they can keep results under it. */
  readonly entries: readonly StoredEntry[];
  /** The number of keys with the prefix after the last entry. */
  readonly remaining: number;
}

interface KeptList extends FoundList {
  /** True if a caller got the list before. */
  readonly repeated: boolean;
}

/**
 * The key of a list. A filtered list is found by its filter, because equal queries share one filter object. A filter is
 * mostly used with one prefix; with several, only the last list is kept.
 */
type Name = EntryFilter | string;

interface Listed {
  readonly list: KeptList;
  readonly prefix: string;
  readonly after: Key | undefined;
  readonly limit: number | undefined;
}

/** Keeps whole lists, chunks of lists, and filtered lists. The least recently used is dropped first. */
export class ListCache {
  readonly #lists = new Map<Name, Listed>();
  /** The name of the last requested list. */
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

  /** Drops the lists that have or may get a key, so that no list keeps an entry that the store has dropped. */
  forget(key: Key): void {
    for (const [name, kept] of this.#lists) {
      if (isUnder(kept.prefix, key)) this.#drop(name, kept);
    }
  }

  /** Puts a list after all lists that were requested before it. */
  #use(name: Name, kept: Listed): void {
    this.#lists.delete(name);
    this.#lists.set(name, kept);
    this.#latest = name;
  }

  #keep(name: Name, kept: Listed): void {
    this.#use(name, kept);
    this.#entries += kept.list.entries.length;
    for (const [oldest, one] of this.#lists) {
      if (this.#lists.size <= maxLists && this.#entries <= maxEntries) return;
      this.#drop(oldest, one);
    }
  }

  #drop(name: Name, kept: Listed): void {
    this.#lists.delete(name);
    this.#entries -= kept.list.entries.length;
  }
}
