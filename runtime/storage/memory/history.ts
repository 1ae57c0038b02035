/** The recent changes, bounded by age and by bytes. */
import type { Key, Revision } from '../../contract/index.js';
import { isUnder, resourceOf } from '../keys.js';
import { OrderedIndex } from '../ordered-index.js';
import { Ring } from '../ring.js';
import { StoredEntry, type StoredEvent, toEvent } from './stored-entry.js';

export interface HistoryOptions {
  /** How long changes are kept, in milliseconds. */
  readonly windowMs: number;
  /** The most bytes of memory for changes, besides the state. Older changes are dropped first. */
  readonly maxBytes: number;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** Called with every change that is dropped, oldest first. */
  readonly dropped: (event: StoredEvent) => void;
}

/** The bytes of an event, of its places in the queues, and of its share of the index of past versions. */
const EVENT_BYTES = 160;

/**
 * A kept change. For an addition it is only the entry, which the store holds anyway. An event of 48 bytes would outlive
 * the watchers, which get it at once.
 */
type Kept = StoredEvent | StoredEntry;

/** The time of a change. It also counts for all changes before the next mark. */
interface Mark {
  readonly at: number;
  readonly revision: Revision;
}

/**
 * Keeps a queue of all changes and one for each resource, so that a reader of one resource does not pay for the changes
 * of others.
 */
export class History {
  readonly #options: HistoryOptions;
  /** Marks have this distance, in milliseconds. All changes between two marks share a time. */
  readonly #resolution: number;
  readonly #events = new Ring<Kept>();
  readonly #byResource = new Map<string, Ring<Kept>>();
  readonly #marks = new Ring<Mark>();
  #bytes = 0;
  #oldest: Revision;

  constructor(options: HistoryOptions, oldest: Revision) {
    this.#options = options;
    this.#resolution = Math.min(1000, options.windowMs / 100);
    this.#oldest = oldest;
  }

  /** The history has all changes after this revision. */
  get oldestRevision(): Revision {
    return this.#oldest;
  }

  get length(): number {
    return this.#events.length;
  }

  /** The bytes of memory that the changes take, besides the state. */
  get bytes(): number {
    return this.#bytes;
  }

  append(event: StoredEvent): void {
    this.#mark(event.revision);
    const kept = event.type === 'ADDED' ? event.entry : event;
    this.#events.push(kept);
    const resource = resourceOf(event.entry.key);
    const ring = this.#byResource.get(resource);
    if (ring) ring.push(kept);
    else this.#byResource.set(resource, ringOf(kept));
    this.#bytes += costOf(event);
  }

  /** Drops changes that are too old or exceed the bytes. Takes constant time if there are no such changes. */
  trim(): void {
    const deadline = this.#options.now() - this.#options.windowMs;
    for (let mark = this.#marks.at(0); mark && mark.at + this.#resolution <= deadline; mark = this.#marks.at(0)) {
      this.#marks.shift();
      this.#dropBefore(this.#marks.at(0)?.revision ?? Number.POSITIVE_INFINITY);
    }
    while (this.#bytes > this.#options.maxBytes) this.#dropFirst();
  }

  /** Drops everything. After that, the history only has changes after this revision. */
  clear(revision: Revision): void {
    this.#dropBefore(Number.POSITIVE_INFINITY);
    this.#oldest = revision;
  }

  /**
   * Returns the changes under a prefix after a revision, in order. The cost is the number of the resource's changes
   * since then.
   */
  after(revision: Revision, prefix: string): StoredEvent[] {
    const found: StoredEvent[] = [];
    const resource = resourceOf(prefix);
    const ring = resource === '' ? this.#events : this.#byResource.get(resource);
    if (!ring) return found;
    const whole = prefix === resource;
    for (let at = firstAfter(ring, revision); at < ring.length; at++) {
      const kept = ring.at(at);
      if (!kept || !(whole || isUnder(prefix, entryOf(kept).key))) continue;
      const event = eventOf(kept);
      // The next watcher gets the same event, with the results that were derived from it.
      if (event !== kept) ring.set(at, event);
      found.push(event);
    }
    return found;
  }

  /** Counts the changes of a prefix's resource after a revision, in logarithmic time. */
  countAfter(revision: Revision, prefix: string): number {
    const resource = resourceOf(prefix);
    const ring = resource === '' ? this.#events : this.#byResource.get(resource);
    return ring ? ring.length - firstAfter(ring, revision) : 0;
  }

  /** Checks whether anything of a prefix's resource has changed after a revision. */
  hasChanged(revision: Revision, prefix: string): boolean {
    const resource = resourceOf(prefix);
    const ring = resource === '' ? this.#events : this.#byResource.get(resource);
    return (ring?.at(ring.length - 1)?.revision ?? 0) > revision;
  }

  #mark(revision: Revision): void {
    const at = this.#options.now();
    const last = this.#marks.at(this.#marks.length - 1);
    if (!last || at - last.at >= this.#resolution) this.#marks.push({ at, revision });
  }

  #dropBefore(revision: Revision): void {
    for (let event = this.#events.at(0); event && event.revision < revision; event = this.#events.at(0)) {
      this.#dropFirst();
    }
  }

  #dropFirst(): void {
    const kept = this.#events.shift();
    if (!kept) return;
    const event = eventOf(kept);
    const resource = resourceOf(event.entry.key);
    const ring = this.#byResource.get(resource);
    ring?.shift();
    if (ring?.length === 0) this.#byResource.delete(resource);
    this.#bytes -= costOf(event);
    this.#oldest = event.revision;
    this.#options.dropped(event);
  }
}

const entryOf = (kept: Kept): StoredEntry => (kept instanceof StoredEntry ? kept : kept.entry);

const eventOf = (kept: Kept): StoredEvent => (kept instanceof StoredEntry ? toEvent(kept, false, undefined) : kept);

function ringOf(kept: Kept): Ring<Kept> {
  const ring = new Ring<Kept>();
  ring.push(kept);
  return ring;
}

/** Returns the bytes that a change keeps alive: the state that it replaced; for a deletion, also the last state. */
function costOf({ type, entry, previous }: StoredEvent): number {
  return EVENT_BYTES + (previous?.size ?? 0) + (type === 'DELETED' ? entry.size : 0);
}

/** Finds the position of the first change after a revision. */
function firstAfter(ring: Ring<Kept>, revision: Revision): number {
  let low = 0;
  let high = ring.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ring.at(middle)?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A key with the changes that ended a version of it (updates and deletions), oldest first. */
export interface PastKey {
  readonly key: Key;
  readonly endings: StoredEvent[];
}

export class PastVersions {
  readonly keys = new OrderedIndex<PastKey>();

  /** Adds a change that ended a version. */
  add(event: StoredEvent): void {
    const { key } = event.entry;
    const past = this.keys.get(key);
    if (past) past.endings.push(event);
    else this.keys.put({ key, endings: [event] });
  }

  /** Drops the oldest ending of a key. */
  drop(key: Key): void {
    const past = this.keys.get(key);
    past?.endings.shift();
    if (past?.endings.length === 0) this.keys.remove(key);
  }
}

/**
 * Returns the version that a key had at a revision, from its past and its live version; undefined if the key did not
 * exist.
 */
export function versionAt(
  revision: Revision,
  past: PastKey | undefined,
  live: StoredEntry | undefined,
): StoredEntry | undefined {
  const version = endingAfter(past?.endings ?? [], revision)?.previous ?? live;
  return version && version.revision <= revision ? version : undefined;
}

/** Finds the first ending after a revision. */
function endingAfter(endings: readonly StoredEvent[], revision: Revision): StoredEvent | undefined {
  let low = 0;
  let high = endings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((endings[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return endings[low];
}
