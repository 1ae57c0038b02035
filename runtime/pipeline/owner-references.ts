/** Drops owner references that repeat another one exactly, with the warning that the reference gives. */
import type { ApiObject, OwnerReference } from '../contract/index.js';
import { equal } from '../objects/equality.js';

/** Removes repeats in place. `when` is added to the warning: empty, or ` after mutating admission happens`. */
export function dedupOwnerReferences(object: ApiObject, warn: (text: string) => void, when = ''): void {
  const references = object.metadata.ownerReferences;
  if (!references || references.length < 2) return;
  const kept: OwnerReference[] = [];
  const repeated = new Set<string>();
  for (const reference of references) {
    if (kept.some((other) => equal(other, reference))) repeated.add(reference.uid);
    else kept.push(reference);
  }
  if (repeated.size === 0) return;
  object.metadata.ownerReferences = kept;
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
}
