/** A create of an object. */
import type { ApiObject, Result } from '../contract/index.js';
import type { Outcome } from '../request/outcome.js';
import { type Assignment, type CreateAttempt, nothingAssigned } from './attempt.js';
import { createStages } from './order.js';
import type { CreatePlan } from './plans.js';
import { runStages } from './run-stages.js';
import type { Write } from './write.js';

/** Creates an object that has been decoded, pruned and defaulted, in place. */
export async function runCreate(write: Write, object: ApiObject, plan: CreatePlan = {}): Promise<Result<Outcome>> {
  const settled = await runStages(createStages, new Create(write, plan, object));
  if (settled === 'lost') throw new Error('a create has lost a race, which only updates and deletes can');
  return settled;
}

/** The creation of an object. */
class Create implements CreateAttempt {
  readonly operation = 'CREATE';
  readonly old = undefined;
  assignment: Assignment = nothingAssigned;
  generated = false;

  constructor(
    readonly write: Write,
    readonly plan: CreatePlan,
    public object: ApiObject,
  ) {}
}
