/** Follows a collection, and yields its changes as fast as the reader takes them. */
import type { ApiObjectLike } from '../types.js';
import type { Change } from './collection-events.js';
import { type Listed, type ListWatchOptions, listWatch } from './list-watch.js';
import { ObjectState } from './object-state.js';

/** The objects to follow. */
export interface FollowOptions<T = unknown> extends ListWatchOptions {
  /** Converts each object before it is kept and reported, for example to drop unused fields. */
  readonly keep?: (object: T) => T;
  /** The state from an earlier run, by `keyOf`. Each change is in it before the change is reported. */
  readonly state?: Map<string, T>;
}

/**
 * Yields every change of a collection, without loss or repeats. After a lost connection, yields the difference between
 * the state before and the state now. Ends when the signal is aborted. Throws an `ApiError` if the server refuses and a
 * retry would not help.
 */
export async function* follow<T extends ApiObjectLike>(
  client: Listed<T>,
  { keep, state, ...options }: FollowOptions<T> = {},
): AsyncGenerator<Change<T>, void, undefined> {
  const known = new ObjectState(keep, state);
  for await (const told of listWatch(client, options)) {
    yield* known.apply(told);
    if (told.type === 'listed') yield { type: 'synced' };
  }
}
