/** The objects of a collection in a controller's memory. */
import type { ApiObjectLike, Cache, ResourceDescriptor } from '../../client/index.js';

export type ResourceOf<T> = ResourceDescriptor<T, unknown>;

/** The cache of a resource that the controller watches. */
export type CacheOf = <T extends ApiObjectLike>(resource: ResourceOf<T>) => Cache<T>;

/** Gives the cache of a resource the type of its objects, which the descriptor guarantees. */
export const typed = <T extends ApiObjectLike>(cache: Cache<ApiObjectLike>, _resource: ResourceOf<T>): Cache<T> =>
  cache as Cache<T>;
