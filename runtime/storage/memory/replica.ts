/**
 * The store in memory: state, history and watchers. It neither decides nor persists anything. Below it are the reads and
 * the list of unreadable objects, which all stores share.
 */
import type {
  Damage,
  Entry,
  Key,
  ListOptions,
  Revision,
  RevisionProblem,
  Snapshot,
  Subscription,
  WatchSink,
} from '../../contract/index.js';
import { OrderedIndex } from '../ordered-index.js';
import { History, PastVersions } from './history.js';
import { AttributeIndexes, AttributePool, ListCache } from './lookups.js';
import { countNow, listAt, listNow, type Versions } from './snapshot.js';
import { SlabPool, type StoredEntry, type StoredEvent } from './stored-entry.js';
import { RevisionWaiters, WatchHub } from './watch-hub.js';

export interface ReplicaOptions {
  readonly historyWindowMs: number;
  readonly historyMaxBytes: number;
  readonly now: () => number;
  /** Receives errors that sinks of watches throw although they must not. Default: prints them. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
}

/** Sizes for metrics; bytes are the bytes of objects. */
export interface StoreStatistics {
  readonly objects: number;
  readonly objectBytes: number;
  /** Changes that can be replayed. */
  readonly historyEvents: number;
  /** Keys with earlier versions in the history. */
  readonly historyKeys: number;
  /** The bytes that the history takes, besides the objects. */
  readonly historyBytes: number;
  /** Memory allocated for the bytes of objects and of history. */
  readonly allocatedBytes: number;
  readonly watches: number;
  /** The indexed labels and fields, each counted once for each resource. */
  readonly attributeIndexes: number;
}

export class Replica {
  readonly slabs = new SlabPool();
  readonly attributes = new AttributePool();
  readonly #live = new OrderedIndex<StoredEntry>();
  readonly #past = new PastVersions();
  readonly #history: History;
  readonly #indexes: AttributeIndexes;
  readonly #lists = new ListCache();
  readonly #hub: WatchHub;
  readonly #waiters = new RevisionWaiters();
  #revision: Revision;
  #objectBytes = 0;
  #forgettable: Revision[] = [];
  #closed = false;

  constructor(options: ReplicaOptions, oldestRevision: Revision) {
    this.#hub = new WatchHub(options.onWatchError ?? console.error);
    this.#revision = oldestRevision;
    this.#indexes = new AttributeIndexes(this.#live, options.now);
    this.#history = new History(
      {
        windowMs: options.historyWindowMs,
        maxBytes: options.historyMaxBytes,
        now: options.now,
        dropped: (event) => this.#drop(event),
      },
      oldestRevision,
    );
  }

  get revision(): Revision {
    return this.#revision;
  }

  get oldestRevision(): Revision {
    this.#history.trim();
    return this.#history.oldestRevision;
  }

  get statistics(): StoreStatistics {
    return {
      objects: this.#live.length,
      objectBytes: this.#objectBytes,
      historyEvents: this.#history.length,
      historyKeys: this.#past.keys.length,
      historyBytes: this.#history.bytes,
      allocatedBytes: this.slabs.allocatedBytes,
      watches: this.#hub.size,
      attributeIndexes: this.#indexes.size,
    };
  }

  get(key: Key): StoredEntry | undefined {
    return this.#live.get(key);
  }

  list(prefix: string, options: ListOptions = {}): Snapshot | RevisionProblem {
    const versions = this.#versions;
    const { at } = options;
    if (at === undefined || at === this.#revision) return listNow(versions, this.#revision, prefix, options);
    return this.#problemWith(at) ?? listAt(versions, at, prefix, options);
  }

  count(prefix: string): number {
    return countNow(this.#versions, prefix);
  }

  watch(prefix: string, from: Revision, sink: WatchSink): Subscription | RevisionProblem {
    const problem = this.#problemWith(from);
    if (problem) return problem;
    // Registered first: if the sink throws during the replay, it is stopped like any other. No change can be applied in
    // between: both run to completion.
    const subscription = this.#hub.add(prefix, from, sink);
    for (const event of this.#history.after(from, prefix)) subscription.deliver(event);
    if (this.#closed) subscription.end('closed');
    return subscription;
  }

  reached(revision: Revision, withinMs: number): Promise<boolean> {
    if (revision <= this.#revision || this.#closed) return Promise.resolve(revision <= this.#revision);
    return this.#waiters.wait(revision, withinMs);
  }

  /** Makes a change visible and passes it to its watchers. Changes must come in the order of their revisions. */
  apply(event: StoredEvent): void {
    this.#place(event);
    this.#history.append(event);
    if (event.previous) this.#past.add(event);
    this.#revision = event.revision;
    this.#hub.dispatch(event);
    this.#waiters.reach(event.revision);
    this.#history.trim();
  }

  /** Adds a version from before the history. Forgets the version that it replaces at once. */
  restore(event: StoredEvent): void {
    this.#place(event);
    if (event.previous) this.#release(event.previous);
    if (event.type === 'DELETED') this.#release(event.entry);
  }

  /** Loads all objects, in key order, into an empty replica. */
  restoreAll(entries: readonly StoredEntry[]): void {
    this.#live.append(entries);
    for (const entry of entries) {
      this.#lists.forget(entry.key);
      this.#indexes.replace(entry.key, undefined, entry);
      this.#objectBytes += entry.size;
    }
  }

  /** Advances to a revision. The caller knows that no change up to it is missing. */
  advance(revision: Revision): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#waiters.reach(revision);
  }

  /** Ends all watches, because they have missed changes that cannot be replayed. */
  endWatches(): void {
    this.#hub.end('compacted');
  }

  /** Drops history that is too old and indexes that are not used, at times without other work. */
  trim(): void {
    this.#history.trim();
    this.#indexes.trim();
  }

  /** Empties the history: earlier revisions can no longer be listed or watched. */
  forgetHistory(): void {
    this.#history.clear(this.#revision);
  }

  /** Notes that the stored version of this revision is no longer needed. */
  forget(revision: Revision): void {
    this.#forgettable.push(revision);
  }

  /** Returns the revisions of versions that are no longer needed, each once. */
  takeForgettable(): readonly Revision[] {
    const revisions = this.#forgettable;
    this.#forgettable = [];
    return revisions;
  }

  /** Returns all live entries, in key order. */
  entries(): readonly StoredEntry[] {
    return this.#live.slice(0, this.#live.length);
  }

  close(): void {
    this.#closed = true;
    this.#hub.end('closed');
    this.#waiters.close();
  }

  get #versions(): Versions {
    return {
      live: this.#live,
      past: this.#past,
      history: this.#history,
      indexes: this.#indexes,
      lists: this.#lists,
    };
  }

  #problemWith(revision: Revision): RevisionProblem | undefined {
    if (revision > this.#revision) return 'future';
    return revision < this.oldestRevision ? 'compacted' : undefined;
  }

  #place({ type, entry, previous }: StoredEvent): void {
    const next = type === 'DELETED' ? undefined : entry;
    const old = next ? this.#live.put(next) : this.#live.remove(entry.key);
    this.#lists.forget(entry.key);
    this.#indexes.replace(entry.key, old, next);
    this.#objectBytes += next?.size ?? 0;
    if (previous) this.#objectBytes -= previous.size;
  }

  #drop(event: StoredEvent): void {
    if (event.previous) {
      this.#past.drop(event.entry.key);
      this.#release(event.previous);
    }
    if (event.type === 'DELETED') this.#release(event.entry);
  }

  #release(entry: StoredEntry): void {
    this.slabs.release(entry);
    this.forget(entry.revision);
  }
}

/** The part of `Store` that all stores share: the reads that they answer only from memory. */
export abstract class ReplicaReads {
  constructor(protected readonly replica: Replica) {}

  get revision(): Revision {
    return this.replica.revision;
  }

  get oldestRevision(): Revision {
    return this.replica.oldestRevision;
  }

  get statistics(): StoreStatistics {
    return this.replica.statistics;
  }

  get(key: Key): Entry | undefined {
    return this.replica.get(key);
  }

  list(prefix: string, options?: ListOptions): Snapshot | RevisionProblem {
    return this.replica.list(prefix, options);
  }

  count(prefix: string): number {
    return this.replica.count(prefix);
  }

  watch(prefix: string, from: Revision, sink: WatchSink): Subscription | RevisionProblem {
    return this.replica.watch(prefix, from, sink);
  }
}

/** The objects that are stored and cannot be read, by key. It is small: most stores have none. */
export class Unreadable {
  readonly #found = new Map<Key, Damage>();

  /** @param found damage with a key and a revision. For a key with several, the newest counts. */
  constructor(found: readonly Damage[] = []) {
    for (const damage of found) {
      const { revision = 0 } = this.#found.get(damage.key) ?? {};
      if ((damage.revision ?? 0) > revision) this.#found.set(damage.key, damage);
    }
  }

  /** The objects that cannot be decrypted. */
  get locked(): readonly Damage[] {
    return [...this.#found.values()].filter(({ locked }) => locked);
  }

  at(key: Key): Damage | undefined {
    return this.#found.get(key);
  }

  below(prefix: string): readonly Damage[] {
    return damageBelow(prefix, [...this.#found.values()]);
  }

  /** Notes that an object was removed or written again. */
  noteGone(key: Key): void {
    this.#found.delete(key);
  }
}

/** Returns the damage of objects with keys that begin with a prefix. */
export const damageBelow = (prefix: string, damage: readonly Damage[]): readonly Damage[] =>
  damage.filter(({ key }) => key.startsWith(prefix));
