/** Opens a cache of a collection: one watch that runs until the cache is closed. */
import { systemClock } from '../clock.js';
import { onAbort } from '../connection/on-abort.js';
import type { CollectionClient } from '../resource/resource-client.js';
import type { ApiObjectLike } from '../types.js';
import type { ObjectCache } from './cache.js';
import { Informer, type InformerOptions } from './informer.js';
import { throwApart } from './throw-apart.js';
import { takeInWrite } from './written.js';

/** The objects of a cache, and how much of them is kept. */
export interface CacheOptions<T extends ApiObjectLike, Index extends string = never>
  extends Omit<InformerOptions<T, Index>, 'client' | 'onError' | 'onThrown'> {
  /** Closes the cache. */
  readonly signal?: AbortSignal;
  /**
   * Told of what the cache survives, and of what handlers and the functions of indexes throw. Where not given, the first is
   * passed over, and the second is thrown by itself, as an uncaught error.
   */
  readonly onError?: (error: unknown) => void;
}

/** A cache that runs. */
export interface OpenCache<T, Index extends string = never> extends ObjectCache<T, Index> {
  /** Ends the watch, and resolves when nothing is left of it. What was known can still be read. */
  close(): Promise<void>;
}

/** The requests that a cache needs; with `onWrite`, writes of the same client are in the cache when they resolve. */
export type CachedClient<T> = Pick<CollectionClient<T, unknown>, 'list' | 'watch'> &
  Partial<Pick<CollectionClient<T, unknown>, 'onWrite'>>;

/**
 * A cache of what a client lists: all objects of a resource, or those of one namespace. It reads the state as the server
 * sends it in a watch where that is offered, and goes on through broken connections, lost histories and refusals.
 */
export function openCache<T extends ApiObjectLike, Index extends string = never>(
  client: CachedClient<T>,
  { signal, onError: told, ...options }: CacheOptions<T, Index> = {},
): OpenCache<T, Index> {
  const onError = told ?? (() => {});
  const informer = new Informer<T, Index>({ stream: true, ...options, client, onError, onThrown: told ?? throwApart });
  const ending = new AbortController();
  const unfollow = onAbort(signal, () => ending.abort(signal?.reason));
  const stop = noteWrites(client, informer, { ...options, onError, signal: ending.signal });
  const ended = informer.run(ending.signal).finally(() => {
    stop();
    unfollow();
  });
  return Object.assign(informer, {
    close: () => {
      ending.abort();
      return ended;
    },
  });
}

/** Brings the writes of a client into an informer; the answer ends that. */
export function noteWrites<T extends ApiObjectLike, Index extends string>(
  client: CachedClient<T>,
  informer: Informer<T, Index>,
  options: Omit<CacheOptions<T, Index>, 'onError' | 'signal'> & {
    readonly onError: (error: unknown) => void;
    readonly signal: AbortSignal;
  },
): () => void {
  const { clock = systemClock, heartbeatMs = 60_000, labelSelector, fieldSelector, onError, signal } = options;
  const selection = {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const written = { informer, client, ...selection, clock, silenceMs: 2 * heartbeatMs, signal, onError };
  // An object that is told is of the version that the client reads, so it is of the client's type.
  const isKept = (_object: ApiObjectLike): _object is T => true;
  const stop = client.onWrite?.((write) => takeInWrite(write, written, isKept));
  return () => stop?.();
}
