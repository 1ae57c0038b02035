/** Drops owner references that repeat another one exactly, with the warning that the reference gives. */
import type { ApiObject, OwnerReference } from '../../contract/index.js';
import type { Attempt, CreateAttempt } from '../attempt.js';

/** Removes repeats in place. `when` is added to the warning: empty, or ` after mutating admission happens`. */
export function dedupOwnerReferences(object: ApiObject, warn: (text: string) => void, when = ''): void {
  const references = object.metadata.ownerReferences;
  if (!references || references.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  const repeated = new Set<string>();
  for (const reference of references) {
    const identity = identityOf(reference);
    if (kept.has(identity)) repeated.add(reference.uid);
    else kept.set(identity, reference);
  }
  if (repeated.size === 0) return;
  object.metadata.ownerReferences = [...kept.values()];
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
}

/** Tells references apart by all that they say. */
const identityOf = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);

/** Drops repeated references that a client has sent. A replacement has lost them when it arrived. */
export function dropRepeatedOwners({ write, object, plan }: CreateAttempt): void {
  if (plan.verb !== 'update') dedupOwnerReferences(object, write.warn);
}

/** Drops references that repeat others since mutating admission. */
export const dropRepeatedOwnersAgain = ({ write, object }: Attempt): void =>
  dedupOwnerReferences(object, write.warn, ' after mutating admission happens');
