/** Follows collections of several kinds at once. */
import type { ApiObjectLike, ListOf } from '../types.js';
import { type FollowOptions, follow } from './follow.js';
import type { Listed } from './list-watch.js';
import type { Change } from './told.js';

/** Clients by names of the caller's. */
export type ClientsByName = Readonly<Record<string, Listed<ApiObjectLike>>>;

/** The objects that a client lists. */
type ObjectOf<Client> = Client extends { list(): Promise<ListOf<infer T>> } ? T : never;

/** A change, and the name of the client that it is of. */
export type NamedChange<Clients extends ClientsByName> = {
  [Name in keyof Clients & string]: { readonly of: Name } & Change<ObjectOf<Clients[Name]>>;
}[keyof Clients & string];

/**
 * The changes of several collections, in order within each: `for await (const change of followAll({ pods, nodes }))`.
 * `synced` comes for each. Ends when the signal says so; throws what one of them throws, and ends the others.
 */
export function followAll<Clients extends ClientsByName>(
  clients: Clients,
  options?: Omit<FollowOptions, 'keep' | 'state'>,
): AsyncGenerator<NamedChange<Clients>, void, undefined>;
export async function* followAll(
  clients: ClientsByName,
  { signal, ...options }: Omit<FollowOptions, 'keep' | 'state'> = {},
): AsyncGenerator<{ readonly of: string } & Change<ApiObjectLike>, void, undefined> {
  const ending = new AbortController();
  const end = (): void => ending.abort(signal?.reason);
  if (signal?.aborted) return;
  signal?.addEventListener('abort', end, { once: true });
  const all = Object.entries(clients).map(([of, client]) => ({
    of,
    changes: follow(client, { ...options, signal: ending.signal }),
  }));
  const next = async ({ of, changes }: (typeof all)[number]) => ({ of, changes, result: await changes.next() });
  const waiting = new Map(all.map((one) => [one.of, next(one)]));
  try {
    while (waiting.size > 0) {
      const { of, changes, result } = await Promise.race(waiting.values());
      waiting.delete(of);
      if (result.done) continue;
      yield { of, ...result.value };
      // Put behind the others, so that one that never rests does not keep them from being heard.
      waiting.set(of, next({ of, changes }));
    }
  } finally {
    signal?.removeEventListener('abort', end);
    end();
    await Promise.allSettled([...waiting.values()]);
  }
}
