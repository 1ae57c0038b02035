/** The stages of validating admission: plugins see the object as it is to be stored, and may only refuse it. */
import type { Failure } from '../../contract/index.js';
import type { CreateAttempt, DeleteAttempt, UpdateAttempt } from '../attempt.js';
import { validateAdmission } from './admission.js';

/** Asks about a create or an update. */
export function validateAdmitted(attempt: CreateAttempt | UpdateAttempt): Promise<Failure | undefined> {
  const { write, object } = attempt;
  if (attempt.operation === 'CREATE') return validateAdmission(write, 'CREATE', { object });
  const { view } = attempt.plan;
  const { old } = attempt;
  const seen = view ? { object: view.of(object), oldObject: view.of(old) } : { object, oldObject: old };
  return validateAdmission(write, 'UPDATE', seen);
}

/** Asks about a delete. */
export const admitDelete = ({ write, old, admitted }: DeleteAttempt): Promise<Failure | undefined> | undefined =>
  admitted ? undefined : validateAdmission(write, 'DELETE', { oldObject: old });
