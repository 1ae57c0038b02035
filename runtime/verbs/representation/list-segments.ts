/** Runs of list items joined once and kept, so that a list costs its runs rather than its objects. */
import type { Entry } from '../../contract/index.js';
import type { ServedResource } from '../../pipeline/served-resource.js';

/**
 * A run ends before an entry whose revision is a multiple of this. Where runs end thus hangs on the entries alone, and
 * a change is felt by the runs beside it and by no others.
 */
const spacing = 64;

/** A run is cut when it has come to this, in entries and in bytes. */
const maxEntries = 256;
const maxRunBytes = 256 * 1024;

const comma = 0x2c;
const brace = 0x7b;

/** Some entries that follow each other in the store, and their bytes: each item with a comma in front of it. */
interface Run {
  readonly resource: ServedResource;
  readonly entries: readonly Entry[];
  readonly bytes: Uint8Array;
}

/** The chunks of a whole list. */
interface Joined {
  readonly resource: ServedResource;
  readonly chunks: readonly Uint8Array[];
}

/** An item's bytes, and how many of them at its front are left out, a brace standing in for them. */
export interface ItemBytes {
  readonly of: (resource: ServedResource, entry: Entry) => Uint8Array;
  readonly skip: number;
}

/** Keeps runs by their first entry, the least recently used going first. */
export class ListSegments {
  readonly #kept = new Map<Entry, Run>();
  readonly #maxBytes: number;
  /** What lists that the store keeps were joined to, as long as all of their runs are kept. */
  #joined = new WeakMap<readonly Entry[], Joined>();
  #bytes = 0;

  /** `maxBytes` bounds the memory for runs. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes held by the runs that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Joins items; all chunks but the first begin with a comma. */
  join(resource: ServedResource, entries: readonly Entry[], items: ItemBytes): readonly Uint8Array[] {
    const known = this.#joined.get(entries);
    if (known?.resource === resource) return known.chunks;
    const joined = this.#joined;
    const chunks = this.#joinRuns(resource, entries, items);
    // Nobody asks what was there before runs had to go: chunks of a list larger than the room for runs are not held.
    joined.set(entries, { resource, chunks });
    return chunks;
  }

  #joinRuns(resource: ServedResource, entries: readonly Entry[], items: ItemBytes): readonly Uint8Array[] {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < entries.length; ) {
      const run = this.#find(resource, entries, at) ?? this.#make(resource, entries, at, items);
      chunks.push(at === 0 ? run.bytes.subarray(1) : run.bytes);
      at += run.entries.length;
    }
    return chunks;
  }

  #find(resource: ServedResource, entries: readonly Entry[], at: number): Run | undefined {
    const first = entries[at];
    const run = first && this.#kept.get(first);
    if (!run || run.resource !== resource) return undefined;
    for (let i = run.entries.length - 1; i > 0; i--) {
      if (run.entries[i] !== entries[at + i]) return undefined;
    }
    this.#kept.delete(first);
    this.#kept.set(first, run);
    return run;
  }

  #make(resource: ServedResource, entries: readonly Entry[], at: number, items: ItemBytes): Run {
    const run = joinRun(resource, entries, at, items);
    // The end of a page may cut a run short; the whole one is worth more.
    const cut = at + run.entries.length === entries.length;
    const [first] = run.entries;
    const before = first && this.#kept.get(first);
    const longer = before?.resource === resource && before.entries.length > run.entries.length;
    if (first && !(cut && longer)) this.#keep(first, run, before);
    return run;
  }

  #keep(first: Entry, run: Run, before: Run | undefined): void {
    if (before) this.#drop(first, before);
    this.#kept.set(first, run);
    this.#bytes += run.bytes.length;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest, kept);
    }
  }

  #drop(first: Entry, run: Run): void {
    this.#kept.delete(first);
    this.#bytes -= run.bytes.length;
    // The memory of the run is counted no longer, so nothing may hold it.
    this.#joined = new WeakMap();
  }
}

/** Joins the run that begins at an index. */
function joinRun(resource: ServedResource, entries: readonly Entry[], at: number, { of, skip }: ItemBytes): Run {
  const run: Entry[] = [];
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let i = at; i < entries.length && run.length < maxEntries && length < maxRunBytes; i++) {
    const entry = entries[i];
    if (!entry || (run.length > 0 && entry.revision % spacing === 0)) break;
    const bytes = of(resource, entry);
    run.push(entry);
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
  return { resource, entries: run, bytes: joined };
}
