/** A collection that a controller watches, and the keys that a change in it concerns. */
import {
  type ApiObjectLike,
  type Cache,
  controllerOf,
  type InformerChoice,
  isControlledBy,
  keyOf,
  type ObjectChange,
  type OwnerReference,
} from '../../client/index.js';
import type { CacheOf, ResourceOf } from './cache.js';

/** One entry of a controller's `watches`. */
export interface Watch extends InformerChoice {
  readonly resource: ResourceOf<ApiObjectLike>;
  /** Returns the keys that an object concerns. Called for both states of a changed object. */
  keysOf(object: ApiObjectLike, cacheOf: CacheOf): Iterable<string>;
  /** Returns whether a change concerns the controller. Default: every change does. */
  when?(change: ObjectChange): boolean;
}

export interface WatchChoice<T> extends InformerChoice {
  /** Returns the keys that an object concerns. Default: its own, `namespace/name`. */
  keysOf?(object: T, cacheOf: CacheOf): Iterable<string>;
  /** Returns whether a change concerns the controller, as `generationChanged` does. Default: every change does. */
  when?(change: ObjectChange<T>): boolean;
}

/** Watches a resource. `resource` has the types, from generated descriptors or `defineResource`. */
export function watch<T extends ApiObjectLike>(resource: ResourceOf<T>, choice: WatchChoice<T> = {}): Watch {
  return { keysOf: ownKey, ...choice, resource };
}

/** Watches objects with owners in another resource. A change concerns the key of the controlling owner. */
export function watchOwned<T extends ApiObjectLike>(
  resource: ResourceOf<T>,
  owners: ResourceOf<ApiObjectLike>,
  choice: Omit<WatchChoice<T>, 'keysOf'> = {},
): Watch {
  return { ...choice, resource, keysOf: (object) => ownerKeys(object, owners) };
}

/**
 * Calls a function with each object of a cache that an owner controls, one after another. Rejects with its first error.
 */
export async function forEachOwned<T extends ApiObjectLike>(
  cache: Cache<T>,
  owner: ApiObjectLike,
  act: (object: T) => unknown,
): Promise<void> {
  // Copies the list, because the function may change the cache.
  for (const object of [...cache.values()].filter((one) => isControlledBy(one, owner))) await act(object);
}

const ownKey = (object: ApiObjectLike): Iterable<string> => [keyOf(object)];

/** Returns the key of the controlling owner if it belongs to a resource. Owners are in the namespace of the object. */
function ownerKeys(object: ApiObjectLike, owners: ResourceOf<ApiObjectLike>): string[] {
  const owner = controllerOf(object);
  if (owner === undefined || owner.kind !== owners.kind || !isOfGroup(owner, owners)) return [];
  const { namespace } = object.metadata;
  return [owners.scope === 'Cluster' || namespace === undefined ? owner.name : `${namespace}/${owner.name}`];
}

/** Compares only groups: the object may name its owner in another version. */
function isOfGroup({ apiVersion }: OwnerReference, { group, kubernetesGroup }: ResourceOf<ApiObjectLike>): boolean {
  const [named] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  return named === group || named === kubernetesGroup;
}
