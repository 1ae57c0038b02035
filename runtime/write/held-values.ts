/** The values that stored objects of a kind hold, and the values that writes in flight have claimed. */
import type {
  EncodedObject,
  Entry,
  Failure,
  Guard,
  Key,
  PooledValue,
  Revision,
  Store,
  StoreEvent,
  Subscription,
  WatchSink,
} from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';

/** Returns the values that a stored object holds. */
export type HeldBy = (entry: Entry) => readonly PooledValue[];

/**
 * Reads the values from the objects themselves, first by a list and then by a watch. The watch receives each commit
 * before its writer gets the answer. So nothing needs repair after a crash, and nothing must be released.
 */
export class HeldValues implements WatchSink {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #holds: HeldBy;
  readonly #holders = new Map<PooledValue, Set<Key>>();
  readonly #heldBy = new Map<Key, readonly PooledValue[]>();
  readonly #claimed = new Map<PooledValue, object>();
  #following: Subscription | undefined;

  /** `prefix` is the store prefix of the kind's objects. */
  constructor(store: Store, prefix: string, holds: HeldBy) {
    this.#store = store;
    this.#prefix = prefix;
    this.#holds = holds;
  }

  /** Returns the keys of the objects that hold a value. */
  holdersOf(value: PooledValue): ReadonlySet<Key> {
    this.#follow();
    return this.#holders.get(value) ?? nobody;
  }

  /** Returns all values that objects hold, each with the keys of its holders. */
  all(): ReadonlyMap<PooledValue, ReadonlySet<Key>> {
    this.#follow();
    return this.#holders;
  }

  /** Ends the watch. The next call of another method begins a new one. */
  stop(): void {
    this.#following?.stop();
    this.#following = undefined;
  }

  /** Returns whether an object holds the value, or a write has claimed it. */
  isTaken(value: PooledValue): boolean {
    this.#follow();
    return this.#claimed.has(value) || this.#holders.has(value);
  }

  /**
   * Returns whether an object with another key than `own` holds the value, or a write other than `claimant` has claimed
   * it.
   */
  isTakenByOther(value: PooledValue, own: Key | undefined, claimant: object): boolean {
    this.#follow();
    const owner = this.#claimed.get(value);
    if (owner !== undefined && owner !== claimant) return true;
    for (const key of this.#holders.get(value) ?? []) if (key !== own) return true;
    return false;
  }

  /** Claims a free value for a write. */
  claim(value: PooledValue, claimant: object): void {
    this.#claimed.set(value, claimant);
  }

  unclaim(value: PooledValue, claimant: object): void {
    if (this.#claimed.get(value) === claimant) this.#claimed.delete(value);
  }

  event({ type, entry }: StoreEvent): void {
    if (type === 'DELETED') this.#forget(entry.key);
    else this.#note(entry);
  }

  ended(): void {
    this.#following = undefined;
  }

  /** Begins to follow the objects, at the first call and again after a watch has ended. */
  #follow(): void {
    if (this.#following) return;
    this.#holders.clear();
    this.#heldBy.clear();
    const snapshot = this.#store.list(this.#prefix);
    if (typeof snapshot === 'string') return;
    for (const entry of snapshot.entries) this.#note(entry);
    const watching = this.#store.watch(this.#prefix, snapshot.revision, this);
    this.#following = typeof watching === 'string' ? undefined : watching;
  }

  #note(entry: Entry): void {
    this.#forget(entry.key);
    const values = this.#holds(entry);
    if (values.length === 0) return;
    this.#heldBy.set(entry.key, values);
    for (const value of values) {
      const holders = this.#holders.get(value);
      if (holders) holders.add(entry.key);
      else this.#holders.set(value, new Set([entry.key]));
    }
  }

  #forget(key: Key): void {
    for (const value of this.#heldBy.get(key) ?? []) {
      const holders = this.#holders.get(value);
      holders?.delete(key);
      if (holders?.size === 0) this.#holders.delete(value);
    }
    this.#heldBy.delete(key);
  }
}

const nobody: ReadonlySet<Key> = new Set();

// Locks on single values, in a store that several servers share. A server holds a lock for the duration of a write.

/**
 * A lock that does not change for this many milliseconds counts as abandoned by a lost server. A write that takes
 * longer loses the lock, and its guard then refuses the commit.
 */
const ABANDONED_MS = 15_000;

const head = '{"kind":"Claim","apiVersion":"kindforge.dev/v1","metadata":{"resourceVersion":"';

const lock: EncodedObject = { text: `${head}"}}`, revisionAt: head.length, attributes: { labels: {}, fields: {} } };

/** The lock, nothing if another server holds it, or why the store could not say. */
type LockAnswer = { readonly held: Guard } | { readonly held?: undefined; readonly failure?: Failure };

export class ClaimLocks {
  readonly #store: Store;
  /** The time by `performance.now()` since which this process has seen each lock of another server at its revision. */
  readonly #seen = new Map<Key, { readonly revision: Revision; readonly since: number }>();
  /** The locks that this process holds. */
  readonly #held = new Set<Key>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Takes the lock with a key. Once this process holds it, its memory has all earlier commits. */
  async take(key: Key): Promise<LockAnswer> {
    const answer = await this.#create(key, 0);
    if ('held' in answer || 'failure' in answer) return answer;
    const current = this.#store.get(key);
    return current && this.#isAbandoned(key, current.revision) ? this.#create(key, current.revision) : {};
  }

  /** Releases a lock without waiting. If that fails, others take the lock once it counts as abandoned. */
  release({ key, revision }: Guard): void {
    this.#held.delete(key);
    this.#store.commit({ key, expected: revision }).catch(() => undefined);
  }

  /** Removes a lock of another server if it counts as abandoned. */
  async breakAbandoned(key: Key): Promise<void> {
    const current = this.#store.get(key);
    if (!current || !this.#isAbandoned(key, current.revision)) return;
    this.#seen.delete(key);
    await this.#store.commit({ key, expected: current.revision });
  }

  async #create(key: Key, expected: Revision): Promise<LockAnswer> {
    const commit = await this.#store.commit({ key, expected, next: lock });
    if (commit.outcome === 'failed') return { failure: commit.failure };
    if (commit.outcome === 'conflict') return {};
    this.#seen.delete(key);
    this.#held.add(key);
    return { held: { key, revision: commit.entry.revision } };
  }

  #isAbandoned(key: Key, revision: Revision): boolean {
    // If no other process writes, an earlier process has left the lock behind.
    if (!isShared(this.#store)) return !this.#held.has(key);
    const seen = this.#seen.get(key);
    if (seen?.revision === revision) return performance.now() - seen.since >= ABANDONED_MS;
    this.#seen.set(key, { revision, since: performance.now() });
    return false;
  }
}

/** Returns the locks of a store, even if no other process writes to it. */
export const locksOf = memoizeByObject((store: Store) => new ClaimLocks(store));

/** Returns the locks of a store; `undefined` if no other process writes to it. */
export const claimLocksIn = (store: Store): ClaimLocks | undefined => (isShared(store) ? locksOf(store) : undefined);

/** Returns whether other processes may write to a store. */
export const isShared = (store: Store): boolean => store.basis !== undefined;
