/** The stage that gives an object unique values, such as addresses. The write claims them until it ends. */
import type {
  Allocation,
  AllocationRecords,
  ApiObject,
  Claims,
  Entry,
  Failure,
  Guard,
  Key,
  Observer,
  PooledValue,
  Store,
} from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import { itself, ownManager } from '../request/verb-request.js';
import { encodeForWrite } from '../resource/encoding.js';
import { keyOf, objectOf, type ServedResource } from '../resource/served-resource.js';
import { readAs, sharedObjectOf } from '../resource/versions.js';
import { type ClaimLocks, claimLocksIn, HeldValues } from './held-values.js';
import { setSystemFields } from './stages/metadata.js';
import { recordOwnership } from './stages/ownership.js';
import { handlerContext } from './stages/validation.js';
import type { Assignment, CreateAttempt, UpdateAttempt, Write } from './write.js';

/** Lets the kind's allocation complete the object, in place. */
export function assignValues(attempt: CreateAttempt | UpdateAttempt): Promise<Failure | undefined> | undefined {
  const { write } = attempt;
  const allocation = write.resource.handlers?.allocation;
  return allocation && !write.subresource ? assign(attempt, allocation) : undefined;
}

async function assign(attempt: CreateAttempt | UpdateAttempt, allocation: Allocation): Promise<Failure | undefined> {
  const { write, object, old } = attempt;
  const { resource, services } = write;
  const allocations = allocationsIn(services.store, resource.keyPrefix, allocation);
  const own = old && keyOf(resource, write.namespace, write.name);
  const shared = { prefix: `!claims/${resource.groupResource}/`, locks: claimLocksIn(services.store) };
  const { observer } = services;
  const records = recordsOf(write);
  const claims = new WriteClaims({ allocations, own, object, dryRun: write.dryRun, shared, records, observer });
  attempt.assignment = claims;
  return (await allocation.assign(object, old, claims, handlerContext(write))) ?? claims.failure;
}

interface ClaimParts {
  readonly allocations: HeldValues;
  /** The key of the stored object; absent for a new one. */
  readonly own: Key | undefined;
  readonly object: ApiObject;
  readonly dryRun: boolean;
  readonly shared: SharedLocks;
  readonly records: ValueRecords | undefined;
  readonly observer: Observer | undefined;
}

const valuesByPrefix = memoizeByObject((_store: Store) => new Map<string, HeldValues>());

/** Returns the values of a kind in a store: the same object for all writes of this process. */
function allocationsIn(store: Store, prefix: string, { holds }: Allocation): HeldValues {
  const byPrefix = valuesByPrefix(store);
  const values = byPrefix.get(prefix) ?? new HeldValues(store, prefix, (entry) => holds(objectOf(entry)));
  byPrefix.set(prefix, values);
  return values;
}

interface SharedLocks {
  /** The store keys of locks begin with this prefix; no resource has such keys. */
  readonly prefix: string;
  /** Absent if no other process writes. */
  readonly locks: ClaimLocks | undefined;
}

class WriteClaims implements Claims, Assignment {
  readonly #parts: ClaimParts;
  readonly #values: PooledValue[] = [];
  readonly #locks: Guard[] = [];
  readonly #recorded: PooledValue[] = [];
  #kept = false;
  readonly guards: Guard[] = [];
  /** The reason why the write could not claim a free value. */
  failure: Failure | undefined;

  constructor(parts: ClaimParts) {
    this.#parts = parts;
  }

  get recorded(): boolean {
    return this.#recorded.length > 0;
  }

  isTaken(value: PooledValue): boolean {
    const { allocations, records } = this.#parts;
    return allocations.isTaken(value) || records?.has(value) === true;
  }

  async take(value: PooledValue): Promise<boolean> {
    if (this.failure || this.#isTakenByOther(value)) return false;
    const { allocations, dryRun, records } = this.#parts;
    if (this.#values.includes(value)) return true;
    if (dryRun) return records?.has(value) !== true;
    allocations.claim(value, this);
    this.#values.push(value);
    return (await this.#lock(value)) && this.#record(value);
  }

  async objectsOf(group: string, plural: string): Promise<readonly ApiObject[] | undefined> {
    return this.#parts.records?.objectsOf(group, plural);
  }

  async #lock(value: PooledValue): Promise<boolean> {
    const { locks, prefix } = this.#parts.shared;
    if (!locks) return true;
    const answer = await locks.take(prefix + value);
    this.failure = answer.held ? undefined : answer.failure;
    if (answer.held) {
      this.#locks.push(answer.held);
      this.guards.push(answer.held);
    }
    // Checks again, because another server may have stored the value before this one took the lock.
    return answer.held !== undefined && !this.#isTakenByOther(value);
  }

  async #record(value: PooledValue): Promise<boolean> {
    const { object, records } = this.#parts;
    if (!records) return true;
    const made = await records.make(value, object);
    if (made === undefined || made === 'none') return made === 'none';
    this.#recorded.push(value);
    this.guards.push(made);
    return true;
  }

  allocated(...made: Parameters<Observer['allocated']>): void {
    // As in the reference, dry runs do not count.
    if (!this.#parts.dryRun) this.#parts.observer?.allocated(...made);
  }

  #isTakenByOther(value: PooledValue): boolean {
    return this.#parts.allocations.isTakenByOther(value, this.#parts.own, this);
  }

  keep(): void {
    this.#kept = true;
  }

  release(): Promise<void> | undefined {
    const { allocations, shared } = this.#parts;
    if (this.#kept || !this.recorded) {
      for (const value of this.#values) allocations.unclaim(value, this);
      for (const lock of this.#locks) shared.locks?.release(lock);
      return undefined;
    }
    return this.#takeBack();
  }

  /** Removes the records of values that the object will not hold, before other writes may claim the values. */
  async #takeBack(): Promise<void> {
    const { object, records } = this.#parts;
    this.#kept = true;
    try {
      await Promise.all(this.#recorded.map((value) => records?.remove(value, object)));
    } finally {
      await this.release();
    }
  }
}

/** The records of one write's values. */
class ValueRecords {
  readonly #write: Write;
  readonly #records: AllocationRecords;

  constructor(holder: Write, resource: ServedResource, records: AllocationRecords) {
    this.#write = {
      ...holder,
      resource,
      namespace: '',
      name: '',
      subresource: undefined,
      user: itself,
      manager: ownManager,
    };
    this.#records = records;
  }

  /** Checks whether any object has a record of the value. */
  has(value: PooledValue): boolean {
    return this.#find(value) !== undefined;
  }

  /** Creates the record of a value; returns `undefined` if the record exists already or the store fails. */
  async make(value: PooledValue, holder: ApiObject): Promise<Guard | 'none' | undefined> {
    const name = this.#records.nameOf(value);
    if (name === undefined) return 'none';
    const { resource, services } = this.#write;
    await resource.ready();
    const record: ApiObject = {
      apiVersion: resource.apiVersion,
      kind: resource.module.names.kind,
      ...this.#records.recordOf(name, holder),
    };
    setSystemFields({ object: record, write: this.#write });
    recordOwnership(this.#write, record, undefined);
    const next = await encodeForWrite(resource, record);
    if (!next.ok) return undefined;
    const key = keyOf(resource, '', name);
    const commit = await services.store.commit({ key, expected: 0, next: next.value });
    return commit.outcome === 'committed' ? { key, revision: commit.entry.revision } : undefined;
  }

  /** Removes the record of a value that names this holder. If a record stays behind, the next repair finds it. */
  async remove(value: PooledValue, holder: ApiObject): Promise<void> {
    const entry = this.#find(value);
    if (!entry) return;
    await this.#write.resource.ready();
    if (!this.#records.names(readAs(this.#write.resource, entry), holder)) return;
    await this.#write.services.store.commit({ key: entry.key, expected: entry.revision });
  }

  /** Resolves to the stored objects of another resource; `undefined` if it is not served. */
  async objectsOf(group: string, plural: string): Promise<readonly ApiObject[] | undefined> {
    const { services } = this.#write;
    const resource = services.resource(group, plural);
    if (!resource) return undefined;
    await resource.ready();
    const snapshot = services.store.list(resource.keyPrefix);
    return typeof snapshot === 'string' ? [] : snapshot.entries.map((entry) => sharedObjectOf(resource, entry));
  }

  #find(value: PooledValue): Entry | undefined {
    const name = this.#records.nameOf(value);
    return name === undefined ? undefined : this.#write.services.store.get(keyOf(this.#write.resource, '', name));
  }
}

/** Returns the records of a write's values; `undefined` if its kind keeps no records. */
function recordsOf(write: Write): ValueRecords | undefined {
  const records = write.resource.handlers?.allocation?.records;
  if (!records || !write.services.featureEnabled(records.featureGate)) return undefined;
  const resource = write.services.resource(records.group, records.plural);
  return resource && new ValueRecords(write, resource, records);
}

/** Removes the records of the values that `old` held and `next` no longer holds. Without `next`, removes all. */
export async function giveUpValues(write: Write, old: ApiObject, next?: ApiObject): Promise<void> {
  const allocation = write.resource.handlers?.allocation;
  if (!allocation?.records) return;
  const records = recordsOf(write);
  if (!records) return;
  const kept = new Set(next ? allocation.holds(next) : []);
  const given = allocation.holds(old).filter((value) => !kept.has(value));
  await Promise.all(given.map((value) => records.remove(value, old)));
}
