/** The stage in which an object gets the values that it holds alone; they are claimed until its write has ended. */
import type { ApiObject, Claims, Failure, Guard, Key, PooledValue, Result } from '../contract/index.js';
import { type Allocations, allocationsIn } from './allocations.js';
import { type ClaimLocks, claimLocksIn } from './claim-locks.js';
import { keyOf } from './served-resource.js';
import { strategyContext } from './validation.js';
import type { Write } from './write.js';

/** What a write has claimed. */
export interface Assignment {
  /** What has to hold when the object is committed. */
  readonly guards: readonly Guard[];
  /** Ends the claims; to be called once, when the write has ended in whatever way. */
  release(): void;
}

const nothing: Assignment = { guards: [], release: () => {} };

/** Has the kind's allocation complete an object, in place; `old` is absent for a create. */
export async function assignValues(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<Result<Assignment>> {
  const { resource, services } = write;
  const allocation = resource.strategy?.allocation;
  if (!allocation || write.subresource) return { ok: true, value: nothing };
  const allocations = allocationsIn(services.store, resource.keyPrefix, allocation);
  const own = old && keyOf(resource, write.namespace, write.name);
  const claims = new WriteClaims(allocations, own, write.dryRun, {
    prefix: `!claims/${resource.groupResource}/`,
    locks: claimLocksIn(services.store),
  });
  const failure = (await allocation.assign(object, old, claims, strategyContext(write))) ?? claims.failure;
  if (!failure) return { ok: true, value: claims };
  claims.release();
  return { ok: false, failure };
}

interface SharedLocks {
  /** Store keys of locks begin with this; no resource has such keys. */
  readonly prefix: string;
  /** Absent where only this process writes. */
  readonly locks: ClaimLocks | undefined;
}

class WriteClaims implements Claims, Assignment {
  readonly #allocations: Allocations;
  readonly #own: Key | undefined;
  readonly #dryRun: boolean;
  readonly #shared: SharedLocks;
  readonly #values: PooledValue[] = [];
  readonly guards: Guard[] = [];
  /** Why a value could not be claimed that is free. */
  failure: Failure | undefined;

  constructor(allocations: Allocations, own: Key | undefined, dryRun: boolean, shared: SharedLocks) {
    this.#allocations = allocations;
    this.#own = own;
    this.#dryRun = dryRun;
    this.#shared = shared;
  }

  isTaken(value: PooledValue): boolean {
    return this.#allocations.isTaken(value);
  }

  async take(value: PooledValue): Promise<boolean> {
    if (this.failure || this.#isTakenByOther(value)) return false;
    if (this.#dryRun || this.#values.includes(value)) return true;
    this.#allocations.claim(value, this);
    this.#values.push(value);
    const { locks, prefix } = this.#shared;
    if (!locks) return true;
    const answer = await locks.take(prefix + value);
    this.failure = answer.held ? undefined : answer.failure;
    if (answer.held) this.guards.push(answer.held);
    // Another server may have stored it since it was looked up; under the lock, memory knows.
    return answer.held !== undefined && !this.#isTakenByOther(value);
  }

  #isTakenByOther(value: PooledValue): boolean {
    return this.#allocations.isTakenByOther(value, this.#own, this);
  }

  release(): void {
    for (const value of this.#values) this.#allocations.unclaim(value, this);
    for (const guard of this.guards) this.#shared.locks?.release(guard);
  }
}
