/** The objects of a resource by the type that the generator prints for it, kept up to date. */
import type { AdmissionHost, DraftObject, FollowedObjects, KindType } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { isOfGroup, readApiVersion } from './groups.js';

/**
 * Follows all objects of a resource, for a plugin's `start`; `T` is the type of the version that they are stored in. Throws
 * where that is known to be another one.
 */
export function objectsOf<T extends KindType>(
  { resources, objects }: AdmissionHost,
  apiVersion: T['apiVersion'],
  plural: string,
): FollowedObjects<DraftObject<T>> {
  const { group, version } = readApiVersion(apiVersion);
  const stored = resources.all().find((one) => isOfGroup(one, group) && one.names.plural === plural && one.storage);
  if (stored && stored.version !== version) {
    throw new Error(`${plural} are stored in version ${stored.version}, and not in ${version}`);
  }
  const followed: unknown = objects(stored?.group ?? group, plural);
  if (isFollowed<T>(followed)) return followed;
  throw new TypeError(`${plural} cannot be followed`);
}

/** Followed objects differ in their type alone, which no check can see. */
const isFollowed = <T extends KindType>(value: unknown): value is FollowedObjects<DraftObject<T>> => isObject(value);
