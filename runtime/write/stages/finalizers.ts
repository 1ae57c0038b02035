/** The stage of a delete that adds and removes the finalizers of garbage collection. */

import type { ServedResource } from '../../resource/served-resource.js';
import type { DeleteAttempt, DeletePlan } from '../attempt.js';

type Propagation = NonNullable<DeletePlan['propagation']> | 'none';

/** The finalizers by which garbage collection holds an object. */
const held: ReadonlyMap<string, Propagation> = new Map([
  ['orphan', 'Orphan'],
  ['foregroundDeletion', 'Foreground'],
]);

export function setFinalizers(attempt: DeleteAttempt): void {
  const own = attempt.object.metadata.finalizers ?? [];
  const propagation = propagationOf(attempt, own);
  const others = own.filter((finalizer) => !held.has(finalizer));
  const added = [...held].flatMap(([finalizer, of]) => (of === propagation ? [finalizer] : []));
  const next = [...others, ...added];
  const before = new Set(own);
  const same = next.length === own.length && next.every((finalizer) => before.has(finalizer));
  attempt.finalizers = same ? own : next;
}

/** The client's propagation policy, or else that of the object's finalizers, or else the default of the kind. */
function propagationOf({ plan, write }: DeleteAttempt, own: readonly string[]): Propagation {
  const usual = defaultPropagation(write.resource);
  if (usual === 'none') return usual;
  const first = own.find((finalizer) => held.has(finalizer));
  return plan.propagation ?? (first === undefined ? undefined : held.get(first)) ?? usual;
}

/** The propagation policy of a delete that names none. */
export const defaultPropagation = ({ handlers, module }: ServedResource): Propagation =>
  handlers?.propagation?.(module.version) ?? 'Background';
