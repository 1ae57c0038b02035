/** The stages of validating admission: plugins see the object as it is to be stored, and may only refuse it. */
import type { Failure } from '../../../contract/index.js';
import type { MaybePromise } from '../../../objects/turns.js';
import type { CreateAttempt, DeleteAttempt, UpdateAttempt } from '../../attempt.js';
import { admit, validateAdmission } from './admission.js';

/** Asks about a create or an update. */
export function validateAdmitted(attempt: CreateAttempt | UpdateAttempt): MaybePromise<Failure | undefined> {
  const { write, object } = attempt;
  if (attempt.operation === 'CREATE') return validateAdmission(write, 'CREATE', { object });
  const { view } = attempt.plan;
  const { old } = attempt;
  if (!view) return validateAdmission(write, 'UPDATE', { object, oldObject: old });
  const [shown, shownOld] = [view.of(object), view.of(old)];
  if (!shown.ok) return shown.failure;
  if (!shownOld.ok) return shownOld.failure;
  return validateAdmission(write, 'UPDATE', { object: shown.value, oldObject: shownOld.value });
}

/** Asks about a delete: plugins that change objects have a say too. */
export async function admitDelete({ write, old, admitted }: DeleteAttempt): Promise<Failure | undefined> {
  if (admitted) return undefined;
  const objects = { oldObject: old };
  return (await admit(write, 'DELETE', objects)) ?? validateAdmission(write, 'DELETE', objects);
}
