/** The stages of mutating admission: plugins may change the object in place. */
import type { Failure } from '../../../contract/index.js';
import type { CreateAttempt, UpdateAttempt } from '../../attempt.js';
import { admit } from './admission.js';

export const admitCreate = ({ write, object }: CreateAttempt): Promise<Failure | undefined> =>
  admit(write, 'CREATE', { object });

export async function admitUpdate({ write, object, old, plan: { view } }: UpdateAttempt): Promise<Failure | undefined> {
  if (!view) return admit(write, 'UPDATE', { object, oldObject: old });
  const [shown, shownOld] = [view.of(object), view.of(old)];
  if (!shown.ok) return shown.failure;
  if (!shownOld.ok) return shownOld.failure;
  const refused = await admit(write, 'UPDATE', { object: shown.value, oldObject: shownOld.value });
  return refused ?? view.into(object, shown.value);
}
