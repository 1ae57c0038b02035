/** Watches collections of several kinds at once. */
import { type ClientsByName, merged, type ObjectOf } from '../merged.js';
import type { ObjectEvent, WatchEvent } from '../types.js';
import type { WatchOptions } from './options.js';

/** An event, and the name of the client that reported it. */
export type NamedEvent<Clients extends ClientsByName> = {
  [Name in keyof Clients & string]: { readonly of: Name } & ObjectEvent<ObjectOf<Clients[Name]>>;
}[keyof Clients & string];

/** The same with bookmarks. */
export type NamedWatchEvent<Clients extends ClientsByName> = {
  [Name in keyof Clients & string]: { readonly of: Name } & WatchEvent<ObjectOf<Clients[Name]>>;
}[keyof Clients & string];

/**
 * Yields the events of several watches, in order within each: `for await (const event of watchAll({ pods, nodes }))`.
 * Each watch has these options. Ends when all have ended. If one fails, throws its error and ends the others.
 * `followAll` continues when watches end.
 */
export function watchAll<Clients extends ClientsByName>(
  clients: Clients,
  options?: WatchOptions & { readonly allowWatchBookmarks?: false },
): AsyncGenerator<NamedEvent<Clients>, void, undefined>;
/** Yields events and, if requested, bookmarks. */
export function watchAll<Clients extends ClientsByName>(
  clients: Clients,
  options: WatchOptions,
): AsyncGenerator<NamedWatchEvent<Clients>, void, undefined>;
export async function* watchAll(
  clients: ClientsByName,
  { signal, ...options }: WatchOptions = {},
): AsyncGenerator<{ readonly of: string }, void, undefined> {
  signal?.throwIfAborted();
  const open = (client: ClientsByName[string], ending: AbortSignal) => client.watch({ ...options, signal: ending });
  for await (const [of, event] of merged(clients, open, signal)) yield { of, ...event };
}
