/** Merges the values of several sources, as they come. */
import { onAbort } from './connection/on-abort.js';
import type { CollectionClient } from './resource/resource-client.js';
import type { ApiObjectLike, ListOf } from './types.js';

/** An item, and the name of its source. */
type Named<T> = readonly [name: string, value: T];

/**
 * Yields the values of all sources, in order within each, until all have ended or the signal is aborted. Each source
 * gets a signal that ends it. If one source fails, throws its error and ends the others.
 */
export async function* merged<Source, T>(
  sources: Readonly<Record<string, Source>>,
  open: (source: Source, signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Named<T>, void, undefined> {
  if (signal?.aborted) return;
  const ending = new AbortController();
  const end = (): void => ending.abort(signal?.reason);
  const unfollow = onAbort(signal, end);
  const all = Object.entries(sources).map(([name, source]) => ({ name, values: open(source, ending.signal) }));
  const next = async ({ name, values }: (typeof all)[number]) => ({ name, values, result: await values.next() });
  const waiting = new Map(all.map((one) => [one.name, next(one)]));
  try {
    while (waiting.size > 0) {
      const { name, values, result } = await Promise.race(waiting.values());
      waiting.delete(name);
      if (result.done) continue;
      yield [name, result.value];
      // Puts this source behind the others, so that a busy source does not starve them.
      waiting.set(name, next({ name, values }));
    }
  } finally {
    unfollow();
    end();
    await Promise.allSettled([...waiting.values()]);
  }
}

export type ClientsByName = Readonly<Record<string, Pick<CollectionClient<ApiObjectLike, unknown>, 'list' | 'watch'>>>;

/** The objects that a client lists. */
export type ObjectOf<Client> = Client extends { list(): Promise<ListOf<infer T>> } ? T : never;
