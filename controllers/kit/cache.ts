/** The objects of a collection as a controller last heard of them. */
import type { ApiObjectLike, Cache, ResourceDescriptor } from '../../client/index.js';

/** Any resource whose objects are of a type. */
export type ResourceOf<T> = ResourceDescriptor<T, unknown>;

/** The cache of a resource that the controller watches. */
export type CacheOf = <T extends ApiObjectLike>(resource: ResourceOf<T>) => Cache<T>;

/** Puts the type of a resource's objects on a cache of it; the descriptor vouches for it. */
export const typed = <T extends ApiObjectLike>(cache: Cache<ApiObjectLike>, _resource: ResourceOf<T>): Cache<T> =>
  cache as Cache<T>;
