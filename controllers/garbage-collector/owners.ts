/** Sorts the owners of an object by whether they are there, gone, or waiting for the object to go. */
import type { OwnerReference } from '../../client/index.js';
import type { GraphNode, Identity } from './graph.js';

/** The state of an owner as the server has it. */
export type OwnerState = 'solid' | 'absent' | 'waiting';

export interface SortedOwners {
  /** They are there and stay. */
  readonly solid: readonly OwnerReference[];
  /** They are gone. */
  readonly absent: readonly OwnerReference[];
  /** They are being deleted, once their dependents are. */
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

/** An owner about which nothing can be said: its kind is not served, or it cannot own the object at all. */
export class UnresolvableOwner extends Error {
  constructor(
    readonly dependent: GraphNode,
    readonly reference: OwnerReference,
    readonly reason: 'unknown kind' | 'namespaced owner',
  ) {
    super(`the owner ${reference.apiVersion} ${reference.kind} ${reference.name} cannot be looked at: ${reason}`);
  }
}

/** Where a reference says that the owner is. */
export const ownerPlace = (
  { identity }: Pick<GraphNode, 'identity'>,
  { apiVersion, kind, name, uid }: OwnerReference,
  isNamespaced: boolean,
): Identity => ({ apiVersion, kind, name, uid, namespace: isNamespaced ? identity.namespace : undefined });
