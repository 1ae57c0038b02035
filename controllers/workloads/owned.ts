/** The bond between a workload and what it has made. */
import type { ApiObjectLike, OwnerReference } from '../../client/index.js';
import type { LabelSelector } from './types.js';

/** The reference that says that an object was made, and is kept, by another. */
export const controlledBy = ({ apiVersion, kind, metadata }: ApiObjectLike): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** The owner that keeps an object. */
export const controllerOf = ({ metadata }: ApiObjectLike): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

export const isControlledBy = (object: ApiObjectLike, owner: ApiObjectLike): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/** A selector as lists take it. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`), ...expressions].join(',');
}
