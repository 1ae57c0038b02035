/** Follows a collection: lists it, watches from there, and starts again by itself when either ends. */
import { ApiError, isConnectionError, isGone } from './errors.js';
import type { ListOptions, Selection } from './options.js';
import type { CollectionClient } from './resource-client.js';
import { pause } from './retry.js';
import type { ApiObjectLike } from './types.js';

/** A change as a follower sees it. `synced` comes once after each listing: what came before is the whole state. */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'changed'; readonly object: T; readonly before: T }
  | { readonly type: 'removed'; readonly object: T }
  | { readonly type: 'synced' };

/** The objects to follow. */
export interface FollowOptions<T = unknown> extends Selection {
  /** Ends the following. */
  readonly signal?: AbortSignal;
  /** Pause before starting again after a broken connection, milliseconds; 500 where not given. */
  readonly retryDelayMs?: number;
  /** Told of each error after which the following goes on. */
  readonly onError?: (error: unknown) => void;
  /** Objects per request of a listing; all at once where not given. */
  readonly limit?: number;
  /** Makes of each object what is kept and told of it: to drop what nobody reads. */
  readonly keep?: (object: T) => T;
  /** The state that was known before, by `keyOf`; it is kept up to date before each change is told. */
  readonly state?: Map<string, T>;
}

/**
 * Every change of a collection, without loss or repeats as far as states go: what happened while the connection was
 * down is told as the difference between the states before and after. Ends when the signal says so; throws `ApiError`
 * where the server refuses for a reason that will not pass by itself.
 */
export async function* follow<T extends ApiObjectLike, A>(
  client: Pick<CollectionClient<T, A>, 'list' | 'watch'>,
  options: FollowOptions<T> = {},
): AsyncGenerator<Change<T>, void, undefined> {
  const {
    signal,
    retryDelayMs = 500,
    onError,
    limit,
    keep = (object) => object,
    state = new Map(),
    ...selection
  } = options;
  const asked = { ...selection, ...(signal === undefined ? {} : { signal }) };
  let resourceVersion: string | undefined;
  while (!signal?.aborted) {
    const began = Date.now();
    try {
      if (resourceVersion === undefined) {
        resourceVersion = yield* listed(client, { ...asked, ...(limit === undefined ? {} : { limit }) }, keep, state);
      }
      for await (const event of client.watch({ ...asked, allowWatchBookmarks: true, resourceVersion })) {
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
        if (event.type === 'BOOKMARK') continue;
        const change = recorded(state, event.type === 'DELETED', keep(event.object));
        if (change) yield change;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      onError?.(error);
      if (isGone(error)) resourceVersion = undefined;
    }
    // A server that is going down, or one that breaks off every watch, is not asked again at once.
    if (Date.now() - began < retryDelayMs) await pause(retryDelayMs * (0.5 + Math.random()), asked).catch(() => {});
  }
}

/** Whether an error may be over when asked again: no answer, a busy or broken server, a history that is gone. */
const isPassing = (error: unknown): boolean =>
  isConnectionError(error) || isGone(error) || (error instanceof ApiError && (error.code >= 500 || error.code === 429));

/** `namespace/name`, or the name alone where the object is in no namespace. */
export const keyOf = ({ metadata: { namespace, name = '' } }: ApiObjectLike): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Tells a whole state, chunk after chunk, and then what is no longer in it; returns its revision. */
async function* listed<T extends ApiObjectLike, A>(
  client: Pick<CollectionClient<T, A>, 'list'>,
  options: ListOptions,
  keep: (object: T) => T,
  state: Map<string, T>,
): AsyncGenerator<Change<T>, string, undefined> {
  const present = new Set<string>();
  let list = await client.list(options);
  const revision = list.metadata.resourceVersion ?? '0';
  for (;;) {
    for (const object of list.items) {
      present.add(keyOf(object));
      const change = recorded(state, false, keep(object));
      if (change) yield change;
    }
    if (!list.metadata.continue) break;
    list = await client.list({ ...options, continue: list.metadata.continue });
  }
  for (const [key, object] of state) {
    if (present.has(key)) continue;
    state.delete(key);
    yield { type: 'removed', object };
  }
  yield { type: 'synced' };
  return revision;
}

/** Takes a state in, and answers with the change that it is to the one before. */
function recorded<T extends ApiObjectLike>(state: Map<string, T>, gone: boolean, object: T): Change<T> | undefined {
  const key = keyOf(object);
  const before = state.get(key);
  if (gone) return state.delete(key) ? { type: 'removed', object } : undefined;
  state.set(key, object);
  if (before === undefined) return { type: 'added', object };
  if (before.metadata.resourceVersion === object.metadata.resourceVersion) return undefined;
  return { type: 'changed', object, before };
}
