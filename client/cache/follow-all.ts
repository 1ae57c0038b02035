/** Follows collections of several kinds at once. */
import { type ClientsByName, merged, type ObjectOf } from '../merged.js';
import type { ApiObjectLike } from '../types.js';
import type { Change } from './collection-events.js';
import { type FollowOptions, follow } from './follow.js';
import type { Listed } from './list-watch.js';

/** A change, and the name of the client that reported it. */
export type NamedChange<Clients extends ClientsByName> = {
  [Name in keyof Clients & string]: { readonly of: Name } & Change<ObjectOf<Clients[Name]>>;
}[keyof Clients & string];

/**
 * Yields the changes of several collections, in order within each: `for await (const change of followAll({ pods, nodes
 * }))`. `synced` comes once for each collection. Ends when the signal is aborted. If one collection fails, throws its
 * error and ends the others.
 */
export function followAll<Clients extends ClientsByName>(
  clients: Clients,
  options?: Omit<FollowOptions, 'keep' | 'state'>,
): AsyncGenerator<NamedChange<Clients>, void, undefined>;
export async function* followAll(
  clients: ClientsByName,
  { signal, ...options }: Omit<FollowOptions, 'keep' | 'state'> = {},
): AsyncGenerator<{ readonly of: string } & Change<ApiObjectLike>, void, undefined> {
  const open = (client: Listed<ApiObjectLike>, ending: AbortSignal) => follow(client, { ...options, signal: ending });
  for await (const [of, change] of merged(clients, open, signal)) yield { of, ...change };
}
