/** An update, patch or apply of a stored object, tried again on every lost race. */
import type { ApiObject, Entry, Failure, Result } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { notFound } from '../objects/status.js';
import type { Outcome } from '../request/outcome.js';
import { prepareToRead } from '../resource/prepare-to-read.js';
import { keyOf } from '../resource/served-resource.js';
import { readAs, refusalOfStranger } from '../resource/versions.js';
import { type Assignment, nothingAssigned, type UpdateAttempt } from './attempt.js';
import { updateStages } from './order.js';
import type { UpdatePlan } from './plans.js';
import { runStages } from './run-stages.js';
import { modified } from './stages/commit-update.js';
import { uidConflict } from './stages/uid.js';
import type { Write } from './write.js';

/** Updates the object that the write names. */
export async function runUpdate(write: Write, plan: UpdatePlan): Promise<Result<Outcome>> {
  const { resource, services } = write;
  const key = keyOf(resource, write.namespace, write.name);
  for (let attempt = 1; ; attempt++) {
    const entry = services.store.get(key);
    if (!entry) return plan.create && !plan.uid ? plan.create() : { ok: false, failure: missing(write, plan) };
    const unreadable = refusalOfStranger(resource, entry) ?? (await prepareToRead(resource, [entry]));
    if (unreadable) return { ok: false, failure: unreadable };
    const old = readAs(resource, entry);
    const settled = await runStages(updateStages, new Update(write, plan, entry, old));
    if (settled !== 'lost') return settled;
    if (plan.pinned || attempt >= plan.attempts) return { ok: false, failure: modified(write) };
  }
}

/** An update, from the stored object on. */
class Update implements UpdateAttempt {
  readonly operation = 'UPDATE';
  object: ApiObject;
  assignment: Assignment = nothingAssigned;

  constructor(
    readonly write: Write,
    readonly plan: UpdatePlan,
    readonly entry: Entry,
    readonly old: ApiObject,
  ) {
    this.object = old;
  }
}

/**
 * A copy of the current object that the next one may be made of. Entries of owners, which nobody changes, are shared.
 */
export function draftOf(current: ApiObject): ApiObject {
  const { managedFields, ...metadata } = current.metadata;
  const draft = clone({ ...current, metadata });
  if (managedFields !== undefined) draft.metadata.managedFields = managedFields;
  return draft;
}

/** Nothing to update: a conflict for a client that named the object's uid. */
function missing(write: Write, { uid }: UpdatePlan): Failure {
  const { module } = write.resource;
  return uid ? uidConflict(write, uid, '') : notFound(module.group, module.names.plural, write.name);
}
