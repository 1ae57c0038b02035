/**
 * Locks on single values, kept in a store that several servers share: who claims what, for as long as a write takes.
 */
import type { EncodedObject, Failure, Guard, Key, Revision, Store } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';

/**
 * Milliseconds for which a lock has to be seen unchanged before it counts as left behind by a server that is gone. A
 * write that takes longer loses it, and then fails by its guard.
 */
const ABANDONED_MS = 15_000;

const head = '{"kind":"Claim","apiVersion":"kindforge.dev/v1","metadata":{"resourceVersion":"';

const lock: EncodedObject = { text: `${head}"}}`, revisionAt: head.length, attributes: { labels: {}, fields: {} } };

/** A lock that is held, one that another server holds, or why that is not known. */
export type LockAnswer = { readonly held: Guard } | { readonly held?: undefined; readonly failure?: Failure };

export class ClaimLocks {
  readonly #store: Store;
  /** Since when, by `performance.now()`, a lock of another server has been seen at its revision. */
  readonly #seen = new Map<Key, { readonly revision: Revision; readonly since: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Takes the lock with a key. Once it is held, memory has all that was committed before. */
  async take(key: Key): Promise<LockAnswer> {
    const answer = await this.#create(key, 0);
    if ('held' in answer || 'failure' in answer) return answer;
    const current = this.#store.get(key);
    return current && this.#isAbandoned(key, current.revision) ? this.#create(key, current.revision) : {};
  }

  /** Gives a lock back, without waiting for that: one that stays behind is passed over in time. */
  release({ key, revision }: Guard): void {
    this.#store.commit({ key, expected: revision }).catch(() => undefined);
  }

  async #create(key: Key, expected: Revision): Promise<LockAnswer> {
    const commit = await this.#store.commit({ key, expected, next: lock });
    if (commit.outcome === 'failed') return { failure: commit.failure };
    if (commit.outcome === 'conflict') return {};
    this.#seen.delete(key);
    return { held: { key, revision: commit.entry.revision } };
  }

  #isAbandoned(key: Key, revision: Revision): boolean {
    const seen = this.#seen.get(key);
    if (seen?.revision === revision) return performance.now() - seen.since >= ABANDONED_MS;
    this.#seen.set(key, { revision, since: performance.now() });
    return false;
  }
}

const locksOf = memoizeByObject((store: Store) => new ClaimLocks(store));

/** The locks of a store; absent where only this process writes to it. */
export const claimLocksIn = (store: Store): ClaimLocks | undefined =>
  store.secret === undefined ? undefined : locksOf(store);
