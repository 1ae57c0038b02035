/** A delete of an object, tried again on every lost race. */
import type { Result } from '../contract/index.js';
import { conflict, notFound } from '../objects/status.js';
import type { Outcome } from '../request/outcome.js';
import { prepareToRead } from '../resource/prepare-to-read.js';
import { keyOf } from '../resource/served-resource.js';
import { readAs, refusalOfStranger } from '../resource/versions.js';
import { nothingAssigned } from './attempt.js';
import { deleteStages } from './order.js';
import type { DeletePlan } from './plans.js';
import { runStages } from './run-stages.js';
import type { Write } from './write.js';

const attempts = 64;

/** Deletes the object that the write names; `admitted` says that validating admission has admitted it already. */
export async function runDelete(write: Write, plan: DeletePlan, admitted = false): Promise<Result<Outcome>> {
  const { resource, services } = write;
  const { group, names } = resource.module;
  const key = keyOf(resource, write.namespace, write.name);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const entry = services.store.get(key);
    if (!entry) return { ok: false, failure: notFound(group, names.plural, write.name) };
    const unreadable = refusalOfStranger(resource, entry) ?? (await prepareToRead(resource, [entry]));
    if (unreadable) return { ok: false, failure: unreadable };
    const old = readAs(resource, entry);
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
