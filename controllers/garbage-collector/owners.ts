/** Sorts the owners of an object: they exist, are gone, or wait for the object's deletion. */
import type { OwnerReference } from '../../client/index.js';
import type { GraphNode, Identity } from './graph.js';

/** The state of an owner on the server. */
export type OwnerState = 'solid' | 'absent' | 'waiting';

export interface SortedOwners {
  /** They exist and stay. */
  readonly solid: readonly OwnerReference[];
  /** They are gone. */
  readonly absent: readonly OwnerReference[];
  /** They are being deleted, and wait for their dependents. */
  readonly waiting: readonly OwnerReference[];
}

export async function sortOwners(
  references: readonly OwnerReference[],
  stateOf: (reference: OwnerReference) => Promise<OwnerState>,
): Promise<SortedOwners> {
  const sorted = { solid: [] as OwnerReference[], absent: [] as OwnerReference[], waiting: [] as OwnerReference[] };
  for (const reference of references) sorted[await stateOf(reference)].push(reference);
  return sorted;
}

/** An owner in an unknown state: its kind is not served, or it cannot own the object at all. */
export class UnresolvableOwner extends Error {
  constructor(
    readonly dependent: GraphNode,
    readonly reference: OwnerReference,
    readonly reason: 'unknown kind' | 'namespaced owner',
  ) {
    super(`the owner ${reference.apiVersion} ${reference.kind} ${reference.name} cannot be looked at: ${reason}`);
  }
}

/** Returns the place of an owner, as a reference names it. */
export const ownerPlace = (
  { identity }: Pick<GraphNode, 'identity'>,
  { apiVersion, kind, name, uid }: OwnerReference,
  isNamespaced: boolean,
): Identity => ({ apiVersion, kind, name, uid, namespace: isNamespaced ? identity.namespace : undefined });
