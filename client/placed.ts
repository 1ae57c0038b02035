/** Requests for objects that name their own namespace. */
import type { ApiObjectLike } from './types.js';

/** The client of a resource, in all namespaces or in one. */
export type Placeable<C extends object> = C | { in(namespace: string): C };

/** Returns the client for the namespace of an object. */
export function placed<C extends object>(client: Placeable<C>, { metadata: { namespace } }: ApiObjectLike): C {
  // A resource of the cluster ignores the namespace, and any other refuses an empty one.
  return isUnplaced(client) ? client.in(namespace ?? '') : client;
}

const isUnplaced = <C extends object>(client: Placeable<C>): client is { in(namespace: string): C } => 'in' in client;
