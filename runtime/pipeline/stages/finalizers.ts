/** The stage of a delete that adds and removes the finalizers of garbage collection. */
import type { ApiObject } from '../../contract/index.js';
import type { DeleteAttempt } from '../attempt.js';
import type { DeletePlan } from '../plans.js';

export function setFinalizers(attempt: DeleteAttempt): void {
  attempt.finalizers = finalizersFor(attempt.plan, attempt.object);
}

/** The finalizers that the object is left with, those of garbage collection added or taken away as asked. */
function finalizersFor(plan: DeletePlan, object: ApiObject): readonly string[] {
  const own = object.metadata.finalizers ?? [];
  if (plan.propagation === undefined) return own;
  const others = own.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  if (plan.propagation === 'Orphan') return [...others, 'orphan'];
  if (plan.propagation === 'Foreground') return [...others, 'foregroundDeletion'];
  return others;
}
