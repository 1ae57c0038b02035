/** Follows a collection, and yields its changes to one reader, at its pace. */
import type { ApiObjectLike } from '../types.js';
import { type Listed, type ListWatchOptions, listWatch } from './list-watch.js';
import { ObjectState } from './object-state.js';
import type { Change } from './told.js';

/** The objects to follow. */
export interface FollowOptions<T = unknown> extends ListWatchOptions {
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
export async function* follow<T extends ApiObjectLike>(
  client: Listed<T>,
  { keep, state, ...options }: FollowOptions<T> = {},
): AsyncGenerator<Change<T>, void, undefined> {
  const known = new ObjectState(keep, state);
  for await (const told of listWatch(client, options)) {
    yield* known.tell(told);
    if (told.type === 'listed') yield { type: 'synced' };
  }
}
