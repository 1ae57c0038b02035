/** Follows a collection: lists it, watches from there, and starts again by itself when either ends. */
import { ApiError, isGone } from './errors.js';
import type { ListOptions, ResourceClient } from './resource-client.js';
import { pause } from './retry.js';
import type { ApiObjectLike } from './types.js';

/** A change as a follower sees it. `synced` comes once after each listing: what came before is the whole state. */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'changed'; readonly object: T; readonly before: T }
  | { readonly type: 'removed'; readonly object: T }
  | { readonly type: 'synced' };

/** What to follow. */
export interface FollowOptions extends Pick<ListOptions, 'labelSelector' | 'fieldSelector'> {
  /** Ends the following. */
  readonly signal?: AbortSignal;
  /** Pause before starting again after a broken connection, milliseconds; 500 where not given. */
  readonly retryDelayMs?: number;
}

/**
 * Every change of a collection, without loss or repeats as far as states go: what happened while the connection was
 * down is told as the difference between the states before and after. Ends when the signal says so.
 */
export async function* follow<T extends ApiObjectLike, A, S extends string>(
  client: Pick<ResourceClient<T, A, S>, 'list' | 'watch'>,
  options: FollowOptions = {},
): AsyncGenerator<Change<T>> {
  const { signal, retryDelayMs = 500, ...selection } = options;
  const stop = signal === undefined ? {} : { signal };
  const state = new Map<string, T>();
  let resourceVersion: string | undefined;
  while (!signal?.aborted) {
    try {
      if (resourceVersion === undefined) {
        const list = await client.list({ ...selection, ...stop });
        yield* differences(state, list.items);
        yield { type: 'synced' };
        resourceVersion = list.metadata.resourceVersion;
      }
      for await (const event of client.watch({
        ...selection,
        ...stop,
        allowWatchBookmarks: true,
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      })) {
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
        if (event.type !== 'BOOKMARK') yield* recorded(state, event.type === 'DELETED', event.object);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isGone(error)) resourceVersion = undefined;
      else if (error instanceof ApiError && error.code < 500 && error.code !== 429) throw error;
      else await pause(retryDelayMs * (0.5 + Math.random()), stop).catch(() => {});
    }
  }
}

const keyOf = ({ metadata }: ApiObjectLike): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

function* differences<T extends ApiObjectLike>(state: Map<string, T>, items: readonly T[]): Generator<Change<T>> {
  const present = new Set(items.map(keyOf));
  for (const [key, object] of state) {
    if (present.has(key)) continue;
    state.delete(key);
    yield { type: 'removed', object };
  }
  for (const object of items) yield* recorded(state, false, object);
}

function* recorded<T extends ApiObjectLike>(state: Map<string, T>, gone: boolean, object: T): Generator<Change<T>> {
  const key = keyOf(object);
  const before = state.get(key);
  if (gone) {
    if (state.delete(key)) yield { type: 'removed', object };
    return;
  }
  state.set(key, object);
  if (before === undefined) yield { type: 'added', object };
  else if (before.metadata.resourceVersion !== object.metadata.resourceVersion)
    yield { type: 'changed', object, before };
}
