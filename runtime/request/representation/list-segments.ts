/**
 * Joins lists. Keeps segments of joined stored items, so a list costs its segments rather than its objects. Makes other
 * lists in pieces while they are sent.
 */
import type { Entry, JsonObject, JsonValue } from '../../contract/index.js';
import type { ResourceNames, ServedResource } from '../../resource/served-resource.js';

/**
 * A segment ends before an entry with a revision that is a multiple of this. So the ends depend on the entries alone,
 * and a change only affects the segments beside it.
 */
const spacing = 64;

/** The most entries and bytes of a segment. */
const maxEntries = 256;
const maxSegmentBytes = 256 * 1024;

const comma = 0x2c;
const brace = 0x7b;

/** Consecutive entries in the store, and their bytes: a comma before each item. */
interface Segment {
  readonly resource: ServedResource;
  readonly entries: readonly Entry[];
  readonly bytes: Uint8Array;
}

/** The chunks of a whole list. */
interface Joined {
  readonly resource: ServedResource;
  readonly chunks: readonly Uint8Array[];
}

/** The bytes of an item. `skip` is the number of bytes at its start that a brace replaces. */
export interface ItemBytes {
  readonly of: (resource: ServedResource, entry: Entry) => Uint8Array;
  readonly skip: number;
}

/** Keeps segments by their first entry, and drops the least recently used first. */
export class ListSegments {
  readonly #kept = new Map<Entry, Segment>();
  readonly #maxBytes: number;
  /** The chunks of the store's lists, until one of their segments is dropped. */
  #joined = new WeakMap<readonly Entry[], Joined>();
  #bytes = 0;

  /** `maxBytes` is the most memory for segments. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of all kept segments. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Joins items; all chunks but the first begin with a comma. */
  join(resource: ServedResource, entries: readonly Entry[], items: ItemBytes): readonly Uint8Array[] {
    const known = this.#joined.get(entries);
    if (known?.resource === resource) return known.chunks;
    const joined = this.#joined;
    const chunks = this.#joinSegments(resource, entries, items);
    // If `#make` has dropped segments, this map is no longer in use. So a list larger than the room for segments is not
    // kept.
    joined.set(entries, { resource, chunks });
    return chunks;
  }

  #joinSegments(resource: ServedResource, entries: readonly Entry[], items: ItemBytes): readonly Uint8Array[] {
    const chunks: Uint8Array[] = [];
    for (const chunk of this.pieces(resource, entries, items)) chunks.push(chunk);
    return chunks;
  }

  /** Yields the same chunks, each made on demand. */
  *pieces(resource: ServedResource, entries: readonly Entry[], items: ItemBytes): Generator<Uint8Array> {
    for (let at = 0; at < entries.length; ) {
      const segment = this.#find(resource, entries, at) ?? this.#make(resource, entries, at, items);
      yield at === 0 ? segment.bytes.subarray(1) : segment.bytes;
      at += segment.entries.length;
    }
  }

  #find(resource: ResourceNames, entries: readonly Entry[], at: number): Segment | undefined {
    const first = entries[at];
    const segment = first && this.#kept.get(first);
    if (!segment || segment.resource !== resource) return undefined;
    for (let i = segment.entries.length - 1; i > 0; i--) {
      if (segment.entries[i] !== entries[at + i]) return undefined;
    }
    this.#kept.delete(first);
    this.#kept.set(first, segment);
    return segment;
  }

  #make(resource: ServedResource, entries: readonly Entry[], at: number, items: ItemBytes): Segment {
    const segment = joinSegment(resource, entries, at, items);
    // The end of a page may cut a segment short; keep the whole one instead.
    const cut = at + segment.entries.length === entries.length;
    const [first] = segment.entries;
    const before = first && this.#kept.get(first);
    const longer = before?.resource === resource && before.entries.length > segment.entries.length;
    if (first && !(cut && longer)) this.#keep(first, segment, before);
    return segment;
  }

  #keep(first: Entry, segment: Segment, before: Segment | undefined): void {
    if (before) this.#drop(first, before);
    this.#kept.set(first, segment);
    this.#bytes += segment.bytes.length;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest, kept);
    }
  }

  #drop(first: Entry, segment: Segment): void {
    this.#kept.delete(first);
    this.#bytes -= segment.bytes.length;
    // The memory of the segment no longer counts, so nothing may hold it.
    this.#joined = new WeakMap();
  }
}

/** Joins the segment that begins at an index. */
function joinSegment(
  resource: ServedResource,
  entries: readonly Entry[],
  at: number,
  { of, skip }: ItemBytes,
): Segment {
  const taken: Entry[] = [];
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let i = at; i < entries.length && taken.length < maxEntries && length < maxSegmentBytes; i++) {
    const entry = entries[i];
    if (!entry || (taken.length > 0 && entry.revision % spacing === 0)) break;
    const bytes = of(resource, entry);
    taken.push(entry);
    pieces.push(bytes);
    length += bytes.length - skip + (skip > 0 ? 2 : 1);
  }
  const joined = Buffer.allocUnsafeSlow(length);
  let to = 0;
  for (const piece of pieces) {
    joined[to++] = comma;
    if (skip > 0) joined[to++] = brace;
    joined.set(skip > 0 ? piece.subarray(skip) : piece, to);
    to += piece.length - skip;
  }
  return { resource, entries: taken, bytes: joined };
}

/** The most stored bytes of a list that is made at once. */
const smallBytes = 256 * 1024;

/** The characters after which a piece ends. */
const pieceLength = 64 * 1024;

/** The stored bytes of items after which a piece ends, because reading takes time even if the answer shows little. */
export const readAtOnce = 1024 * 1024;

/** Checks whether a list is small enough to make it at once. Stops at the first entry over the limit. */
export function isSmall(entries: readonly Entry[]): boolean {
  let bytes = 0;
  for (const entry of entries) {
    bytes += entry.bytes.length;
    if (bytes > smallBytes) return false;
  }
  return true;
}

/** A list with items to make one by one. */
export interface ItemizedList {
  /** The list without its items. */
  readonly shell: JsonObject;
  /** The name of the field with the items. */
  readonly field: string;
  readonly entries: readonly Entry[];
  readonly itemOf: (entry: Entry) => JsonObject;
}

/** How to write a list as text. */
interface ListText {
  readonly whole: (list: JsonObject) => string;
  /** Writes an item of a list. */
  readonly item: (item: JsonValue) => string;
  readonly between: string;
}

const placeholder = 'the items of the list';

/** Writes a list with items in pieces. The result is the same as of `whole`. */
export function* textPieces({ whole, item, between }: ListText, list: ItemizedList): Generator<Uint8Array> {
  const { shell, field, entries, itemOf } = list;
  // Clients can write the placeholder into the metadata of the list, which comes before the items. So this uses the
  // last one.
  const frame = whole({ ...shell, [field]: [placeholder] });
  const at = frame.lastIndexOf(item(placeholder));
  let text = frame.slice(0, at);
  let read = 0;
  let before = '';
  for (const entry of entries) {
    text += before + item(itemOf(entry));
    before = between;
    read += entry.bytes.length;
    if (text.length < pieceLength && read < readAtOnce) continue;
    yield Buffer.from(text);
    text = '';
    read = 0;
  }
  yield Buffer.from(text + frame.slice(at + item(placeholder).length));
}
