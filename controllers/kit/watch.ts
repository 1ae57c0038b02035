/** A collection that a controller watches, and the keys that a change in it concerns. */
import { type ApiObjectLike, type InformerChoice, keyOf } from '../../client/index.js';
import type { CacheOf, ResourceOf } from './cache.js';

/** One entry of a controller's `watches`. */
export interface Watch extends InformerChoice {
  readonly resource: ResourceOf<ApiObjectLike>;
  /** Returns the keys that an object concerns. It is called for both states of a changed object. */
  keysOf(object: ApiObjectLike, cacheOf: CacheOf): Iterable<string>;
}

export interface WatchChoice<T> extends InformerChoice {
  /** Returns the keys that an object concerns. Default: its own, `namespace/name`. */
  keysOf?(object: T, cacheOf: CacheOf): Iterable<string>;
}

/** Watches a resource. `resource` has the types, from generated descriptors or `defineResource`. */
export function watch<T extends ApiObjectLike>(resource: ResourceOf<T>, choice: WatchChoice<T> = {}): Watch {
  return { keysOf: ownKey, ...choice, resource };
}

const ownKey = (object: ApiObjectLike): Iterable<string> => [keyOf(object)];
