/** The live objects of a collection for user interfaces: one watch for as long as anything shows them. */
import { isGone } from '../errors.js';
import type { ApiObjectLike } from '../types.js';
import { type Observable, type ObservedSource, observe, observeSource } from './observe.js';
import { type CachedClient, openCache } from './open-cache.js';

/** The objects of a collection as they are now. */
export interface LiveObjects<T> {
  /** In the order of their keys. Empty until `ready` is true. While there is an `error`, the last known objects. */
  readonly objects: readonly T[];
  /** Whether the whole state has arrived. */
  readonly ready: boolean;
  /** The reason why the objects may be out of date: no answer, or a refusal. The client retries. */
  readonly error: Error | undefined;
}

/** Selects the objects of a resource. */
export interface ObjectSelection {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** As in `app=web,tier!=cache`. */
  readonly labelSelector?: string | undefined;
  /** As in `metadata.name=web`. */
  readonly fieldSelector?: string | undefined;
}

/** The client of a resource, as in `createClient`. */
export type ObservedClient<T> = CachedClient<T> & { in?(namespace: string): CachedClient<T> };

/** The observables of each client, by selection. */
const observed = new WeakMap<object, Map<string, Observable<LiveObjects<unknown>>>>();

/**
 * Observes the objects of a resource. Watches them from the first subscription until the last one ends. Returns the
 * same observable for the same client and selection, so that all parts of a page share one watch.
 */
export function observeObjects<T extends ApiObjectLike>(
  client: ObservedClient<T>,
  selection: ObjectSelection = {},
): Observable<LiveObjects<T>> {
  const known = observed.get(client) ?? new Map<string, Observable<LiveObjects<unknown>>>();
  observed.set(client, known);
  const { namespace, labelSelector = '', fieldSelector = '' } = selection;
  const key = JSON.stringify([namespace, labelSelector, fieldSelector]);
  // Checks nothing: the observables of a client have the type of its objects.
  const isOfClient = (_found: Observable<LiveObjects<unknown>>): _found is Observable<LiveObjects<T>> => true;
  const found = known.get(key);
  if (found && isOfClient(found)) return found;
  const made = observeSource(liveObjects(client, selection));
  known.set(key, made);
  return made;
}

const nothing: LiveObjects<never> = { objects: [], ready: false, error: undefined };

/** Makes a source that keeps a cache open while it has subscribers. */
function liveObjects<T extends ApiObjectLike>(
  client: ObservedClient<T>,
  { namespace, labelSelector, fieldSelector }: ObjectSelection,
): ObservedSource<LiveObjects<T>> {
  let version = 0;
  let live: LiveObjects<T> = nothing;
  const set = (next: LiveObjects<T>): void => {
    if (isSame(live, next)) return;
    live = next;
    version++;
  };
  const onChange = (announce: () => void): (() => void) => {
    const ending = new AbortController();
    const change = (part: Partial<LiveObjects<T>>): void => {
      if (ending.signal.aborted) return;
      set({ ...live, ...part });
      announce();
    };
    const cache = openCache(namespace === undefined ? client : (client.in?.(namespace) ?? client), {
      // An empty selector selects all objects.
      labelSelector: labelSelector || undefined,
      fieldSelector: fieldSelector || undefined,
      signal: ending.signal,
      // After a 410 the client reads the state again at once.
      onError: (error) => isGone(error) || change({ error: toError(error) }),
      onOpen: () => change({ error: undefined }),
    });
    const listed = observe(cache, (all) => (all.isSynced ? all.list() : undefined));
    const stop = listed.subscribe((objects) => objects && change({ objects, ready: true }));
    return () => {
      ending.abort();
      stop();
      set(nothing);
    };
  };
  return { versionOf: () => version, read: () => live, onChange };
}

/** Returns whether there is nothing new to show. Each failed attempt has another error with the same text. */
const isSame = (a: LiveObjects<unknown>, b: LiveObjects<unknown>): boolean =>
  a.objects === b.objects && a.ready === b.ready && a.error?.message === b.error?.message;

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
