/** The stage that makes the next object of the current one: what a replacement, patch or configuration says of it. */
import type { Failure } from '../../contract/index.js';
import type { UpdateAttempt } from '../attempt.js';
import { amongVersions } from './ownership/remote-ownership.js';

export async function mergeIntoCurrent(attempt: UpdateAttempt): Promise<Failure | undefined> {
  const { write, plan, old } = attempt;
  const next = await amongVersions(write, () => plan.next(old));
  if (!next.ok) return next.failure;
  attempt.object = next.value;
  return undefined;
}
