/** Runs writes through the stages of `order.ts`: creates once, updates and deletes again after each lost race. */
import type { ApiObject, Entry, Failure, Result } from '../contract/index.js';
import { conflict, notFound } from '../objects/status.js';
import { type MaybePromise, Turns, thenSync } from '../objects/turns.js';
import type { WriteOutcome } from '../request/responses.js';
import { keyOf } from '../resource/served-resource.js';
import { prepareToRead, readAs, refusalOfStranger } from '../resource/versions.js';
import { createStages, deleteStages, updateStages } from './order.js';
import { modified, uidConflict } from './stages/commit.js';
import {
  type Assignment,
  type Attempt,
  type CreateAttempt,
  type CreatePlan,
  type DeletePlan,
  nothingAssigned,
  type Stage,
  type UpdateAttempt,
  type UpdatePlan,
  type Write,
} from './write.js';

/** Creates a decoded, pruned and defaulted object, and changes it in place. */
export async function runCreate(
  write: Write,
  object: ApiObject,
  plan: CreatePlan = asked,
): Promise<Result<WriteOutcome>> {
  const settled = await runStages(createStages, new Create(write, plan, object));
  if (settled === 'lost') throw new Error('a create has lost a race, which only updates and deletes can');
  return settled;
}

const asked: CreatePlan = { verb: 'create' };

/** Updates the object that the write names. */
export async function runUpdate(write: Write, plan: UpdatePlan): Promise<Result<WriteOutcome>> {
  for (let attempt = 1; ; attempt++) {
    const found = await findCurrent(write);
    if (!found) return plan.create && !plan.uid ? plan.create() : { ok: false, failure: missing(write, plan) };
    if (!found.ok) return found;
    const settled = await runStages(updateStages, new Update(write, plan, found.value));
    if (settled !== 'lost') return settled;
    if (plan.pinned || attempt >= plan.attempts) return { ok: false, failure: modified(write) };
  }
}

/** The number of attempts of a delete if other writers are faster. */
const lostDeletes = 64;

/** Deletes the object that the write names. `admitted` is true if validating admission has already admitted it. */
export async function runDelete(write: Write, plan: DeletePlan, admitted = false): Promise<Result<WriteOutcome>> {
  const { group, names } = write.resource.module;
  for (let attempt = 1; attempt <= lostDeletes; attempt++) {
    const found = await findCurrent(write);
    if (!found) return { ok: false, failure: notFound(group, names.plural, write.name) };
    if (!found.ok) return found;
    const { entry, old } = found.value;
    const settled = await runStages(deleteStages, {
      operation: 'DELETE',
      write,
      plan,
      entry,
      old,
      object: old,
      admitted,
      assignment: nothingAssigned,
      graceBegun: false,
      finalizers: [],
    });
    if (settled !== 'lost') return settled;
    if (plan.preconditions.resourceVersion !== undefined) break;
  }
  return { ok: false, failure: conflict(group, names.plural, write.name) };
}

/** The stored object that a write names, in the version of the write. */
interface Current {
  readonly entry: Entry;
  readonly old: ApiObject;
}

/** Finds the object that a write names; `undefined` if there is none. Fails if this server cannot change it. */
function findCurrent({ resource, namespace, name, services }: Write): MaybePromise<Result<Current> | undefined> {
  const key = keyOf(resource, namespace, name);
  const entry = services.store.get(key);
  if (!entry) {
    const damage = services.store.damageAt?.(key);
    return damage && { ok: false, failure: damage };
  }
  const foreign = refusalOfStranger(resource, entry);
  if (foreign) return { ok: false, failure: foreign };
  return thenSync(prepareToRead(resource, [entry]), (failure) =>
    failure ? { ok: false, failure } : { ok: true, value: { entry, old: readAs(resource, entry) } },
  );
}

/**
 * Returns the failure of an update without an object. In early releases, this is a conflict if the client named a uid.
 */
function missing(write: Write, { uid }: UpdatePlan): Failure {
  const { module } = write.resource;
  return uid && !write.services.release.does('missingBeforeUid')
    ? uidConflict(write, uid, '')
    : notFound(module.group, module.names.plural, write.name);
}

class Create implements CreateAttempt {
  readonly operation = 'CREATE';
  readonly old = undefined;
  readonly current = undefined;
  assignment: Assignment = nothingAssigned;
  generated = false;

  constructor(
    readonly write: Write,
    readonly plan: CreatePlan,
    public object: ApiObject,
  ) {}
}

/** An update that begins from the stored object. */
class Update implements UpdateAttempt {
  readonly operation = 'UPDATE';
  readonly entry: Entry;
  readonly old: ApiObject;
  object: ApiObject;
  current: ApiObject;
  assignment: Assignment = nothingAssigned;

  constructor(
    readonly write: Write,
    readonly plan: UpdatePlan,
    { entry, old }: Current,
  ) {
    this.entry = entry;
    this.old = old;
    this.object = old;
    this.current = old;
  }
}

/**
 * Runs stages until one of them ends the write. A long write gives others a turn between stages. At the end, releases
 * the values that the stages have claimed.
 */
async function runStages<A extends Attempt>(
  stages: readonly Stage<A>[],
  attempt: A,
): Promise<Result<WriteOutcome> | 'lost'> {
  const turns = new Turns();
  try {
    for (const stage of stages) {
      const others = turns.giveWay();
      if (others) await others;
      const given = stage(attempt);
      const answer = given instanceof Promise ? await given : given;
      if (!answer) continue;
      if (answer === 'lost') return 'lost';
      return 'outcome' in answer ? { ok: true, value: answer.outcome } : { ok: false, failure: answer };
    }
  } finally {
    const released = attempt.assignment.release();
    if (released) await released;
  }
  throw new Error('the last stage of a write has not ended it');
}

/**
 * Returns a function that returns `read` at the first call, and reads again at later calls. Most writes succeed at the
 * first attempt, so they copy nothing.
 */
export function fresh<T>(read: T, again: () => T): () => T {
  let unused: readonly [T] | undefined = [read];
  return () => {
    const [value] = unused ?? [again()];
    unused = undefined;
    return value;
  };
}
