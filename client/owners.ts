/** Owners of objects, and the owner that controls an object. */
import type { ApiObjectLike, ObjectMeta, OwnerReference } from './types.js';

/** Thrown if an object cannot have the owner that it is given. */
export class OwnerError extends TypeError {
  override readonly name = 'OwnerError';
}

/**
 * Returns an object with a reference to its controlling owner. Deleting the owner then deletes the object. A new object
 * gets the namespace of its owner. Does not change the given object. Throws an `OwnerError` if the owner is not stored
 * or is in another namespace, or if another owner controls the object.
 */
export function setOwner<T extends { readonly metadata?: ObjectMeta }>(
  object: T,
  owner: ApiObjectLike,
): T & { metadata: ObjectMeta } {
  const { metadata = {} } = object;
  const reference = controlledBy(owner);
  const name = `${owner.kind} ${JSON.stringify(reference.name)}`;
  if (reference.uid === '') throw new OwnerError(`${name} has no uid: only a stored object can own others`);
  const namespace = metadata.namespace ?? (metadata.uid === undefined ? owner.metadata.namespace : undefined);
  if (owner.metadata.namespace !== undefined && namespace !== owner.metadata.namespace)
    throw new OwnerError(
      `${name} in namespace ${JSON.stringify(owner.metadata.namespace)} cannot own an object ${placeOf(namespace)}`,
    );
  const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== reference.uid);
  const other = others.find(({ controller }) => controller === true);
  if (other !== undefined)
    throw new OwnerError(`${name} cannot control an object that ${other.kind} ${JSON.stringify(other.name)} controls`);
  const place = namespace === undefined ? {} : { namespace };
  return { ...object, metadata: { ...metadata, ...place, ownerReferences: [...others, reference] } };
}

const placeOf = (namespace: string | undefined): string =>
  namespace === undefined ? 'without a namespace' : `in namespace ${JSON.stringify(namespace)}`;

/** Returns the reference to an owner that controls an object. */
export const controlledBy = ({ apiVersion, kind, metadata }: ApiObjectLike): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** Returns the reference to the controlling owner of an object, or `undefined`. */
export const controllerOf = ({ metadata }: ApiObjectLike): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** Returns whether an owner controls an object. */
export const isControlledBy = (object: ApiObjectLike, owner: ApiObjectLike): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;
