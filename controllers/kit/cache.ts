/** The objects of a collection as a controller last heard of them. */
import type { ApiObjectLike, ResourceDescriptor } from '../../client/index.js';

/** Reading costs no request; what is read may be older than what the server has. Nobody changes what is in here. */
export interface Cache<T> {
  /** By `namespace/name`, or by the name of an object that is in no namespace. */
  get(key: string): T | undefined;
  values(): Iterable<T>;
  readonly size: number;
}

/** Any resource whose objects are of a type. */
export type ResourceOf<T> = ResourceDescriptor<T, unknown>;

/** The cache of a resource that the controller watches. */
export type CacheOf = <T extends ApiObjectLike>(resource: ResourceOf<T>) => Cache<T>;

/** Puts the type of a resource's objects on a cache of it; the descriptor vouches for it. */
export const typed = <T extends ApiObjectLike>(cache: Cache<ApiObjectLike>, _resource: ResourceOf<T>): Cache<T> =>
  cache as Cache<T>;
