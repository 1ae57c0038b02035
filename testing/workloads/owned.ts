/** The relation between a workload and the objects that it owns. */
import type { ApiObjectLike, OwnerReference } from '../../client/index.js';
import type { LabelSelector } from './types.js';

/** Returns the owner reference for an object that a workload creates and controls. */
export const controlledBy = ({ apiVersion, kind, metadata }: ApiObjectLike): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** Returns the controlling owner of an object, or `undefined`. */
export const controllerOf = ({ metadata }: ApiObjectLike): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

export const isControlledBy = (object: ApiObjectLike, owner: ApiObjectLike): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/** Returns a selector as text, as lists take it. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`), ...expressions].join(',');
}
