/** Locks unique values, and objects to delete, while a write checks its relations and commits. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, Failure, Guard, Key, Store } from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import { type FoundName, type RelationTable, relationsOf } from '../resource/relations.js';
import { keyOf, type ServedResource } from '../resource/served-resource.js';
import { readAs } from '../resource/versions.js';
import { claimLocksIn, HeldValues, isShared, locksOf } from './held-values.js';
import type { Assignment, Precondition, Preconditions, Write } from './write.js';

/**
 * Milliseconds that a write waits for another one. This is longer than the life of a lock that a lost server left
 * behind.
 */
const PATIENCE_MS = 20_000;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** A 503: the server has stored nothing, and the client may try again. */
const busy: Failure = {
  reason: 'ServiceUnavailable',
  message: 'another write of the same value or of the named object has not ended, please try again',
  details: { retryAfterSeconds: 1 },
};

/** Returns the key in an index for the objects that name an object. */
export const nameKey = (group: string, kind: string, namespace: string, name: string): string =>
  `name ${group}/${kind} ${namespace}/${name}`;

/** Returns the same key for a name in an object. Cluster-scoped objects have no namespace. */
export function keyOfName({ reference, name, namespace }: FoundName, table: RelationTable): string {
  const isOfCluster = table.target(reference)?.module.scope === 'Cluster';
  return nameKey(reference.group, reference.kind, isOfCluster ? '' : namespace, name);
}

interface KnownIndex {
  readonly stored: ServedResource;
  readonly values: HeldValues;
}

const indexes = memoizeByObject((_store: Store) => new Map<string, KnownIndex>());

/** Returns the values and names in all stored objects of a kind. Load the kind's code before. */
export function relationIndex(store: Store, table: RelationTable, stored: ServedResource): HeldValues {
  const known = indexes(store).get(stored.keyPrefix);
  if (known?.stored === stored) return known.values;
  known?.values.stop();
  const relations = relationsOf(stored);
  const held = (entry: Entry): readonly string[] => {
    const object = readAs(stored, entry);
    const names = relations.namesIn(object).map((found) => keyOfName(found, table));
    return [...relations.valuesIn(object).map(({ key }) => key), ...names];
  };
  const values = new HeldValues(store, stored.keyPrefix, held);
  indexes(store).set(stored.keyPrefix, { stored, values });
  return values;
}

/** Returns the key of a lock. It is a digest, because values may be longer than keys. */
const lockKey = ({ groupResource }: ServedResource, what: string): Key =>
  `!claims/${groupResource}/${createHash('sha256').update(what).digest('base64url')}`;

/** Returns the lock that the delete of an object holds. While it is held, no write can begin to name the object. */
const deletionLock = (target: ServedResource, namespace: string, name: string): Key =>
  lockKey(target, `delete ${keyOf(target, namespace, name)}`);

/** The end of the queue for each value in this process, by store. */
const queues = memoizeByObject((_store: Store) => new Map<string, Promise<void>>());

/** The claims of one write for its relations, and for the values that its kind assigns. */
export class RelationClaims implements Assignment {
  readonly #store: Store;
  readonly #preconditions: Preconditions;
  readonly #inner: Assignment;
  readonly #relied: Key[] = [];
  readonly #locks: Guard[] = [];
  readonly #leave: (() => void)[] = [];

  constructor({ services: { store }, preconditions }: Write, inner: Assignment) {
    this.#store = store;
    this.#preconditions = preconditions;
    this.#inner = inner;
  }

  get guards(): readonly Guard[] {
    return [...this.#inner.guards, ...this.#locks];
  }

  get recorded(): boolean {
    return this.#inner.recorded;
  }

  keep(): void {
    this.#inner.keep();
  }

  release(): Promise<void> | undefined {
    for (const lock of this.#locks.splice(0)) locksOf(this.#store).release(lock);
    for (const leave of this.#leave.splice(0)) leave();
    for (const key of this.#relied.splice(0)) this.#preconditions.delete(key);
    return this.#inner.release();
  }

  /**
   * Locks a unique value; other writes that want it wait. Once the lock is held, memory has every object with the
   * value. With several servers the lock is in the store. Lock values in order, to avoid deadlocks.
   */
  async holdValue(stored: ServedResource, value: string): Promise<Failure | undefined> {
    await this.#enter(`${stored.groupResource} ${value}`);
    return claimLocksIn(this.#store) === undefined ? undefined : this.#lock(lockKey(stored, value));
  }

  /** Locks an object to delete: until the release, no write that names it can commit. */
  holdDeletion(target: ServedResource, namespace: string, name: string): Promise<Failure | undefined> {
    return this.#lock(deletionLock(target, namespace, name));
  }

  /**
   * Makes the write rely on an object that it names: the commit fails if the object is `broken` by then, or if its
   * delete is in flight. Every delete takes the lock first, so if the lock is absent, the memory of the only writer is
   * right. With several servers, memory may be late, so the object must not have changed either.
   */
  async relyOn(target: ServedResource, namespace: string, name: string, broken: () => Failure | undefined) {
    const lock = deletionLock(target, namespace, name);
    const key = keyOf(target, namespace, name);
    const failure = await deletionEnded(this.#store, lock);
    if (failure) return failure;
    this.#rely({ broken, guard: () => ({ key: lock, revision: 0 }) }, lock);
    if (!isShared(this.#store)) return undefined;
    const guard = () => ({ key, revision: this.#store.get(key)?.revision ?? 0 });
    this.#rely({ broken: () => undefined, guard }, `named ${key}`);
    return undefined;
  }

  /** Adds a precondition under its own key, because other checks may rely on the same object. */
  #rely(precondition: Precondition, as: Key): void {
    this.#preconditions.set(as, precondition);
    this.#relied.push(as);
  }

  /** Waits for its turn in this process. */
  async #enter(what: string): Promise<void> {
    const queue = queues(this.#store);
    for (let before = queue.get(what); before; before = queue.get(what)) await before;
    let leave = (): void => {};
    queue.set(what, new Promise((resolve) => (leave = resolve)));
    this.#leave.push(() => {
      queue.delete(what);
      leave();
    });
  }

  async #lock(key: Key): Promise<Failure | undefined> {
    return waitUntil(async () => {
      const answer = await locksOf(this.#store).take(key);
      if (answer.held) this.#locks.push(answer.held);
      return answer.held ? 'done' : answer.failure;
    });
  }
}

/** Waits until no delete of an object is in flight. Removes the lock of a lost server. */
function deletionEnded(store: Store, key: Key): Promise<Failure | undefined> | undefined {
  if (store.get(key) === undefined) return undefined;
  return waitUntil(async () => {
    await locksOf(store).breakAbandoned(key);
    return store.get(key) === undefined ? 'done' : undefined;
  });
}

/** Repeats an attempt until it is done, with growing pauses. */
async function waitUntil(attempt: () => Promise<'done' | Failure | undefined>): Promise<Failure | undefined> {
  const until = performance.now() + PATIENCE_MS;
  for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await attempt();
    if (answer === 'done') return undefined;
    if (answer) return answer;
    if (performance.now() > until) return busy;
    await sleep(pauseMs);
  }
}
