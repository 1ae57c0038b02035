/** Predicates: which changes concern a controller, for `when` of `watch`. New and removed objects always do. */

import type { ApiObjectLike, ObjectChange } from '../../client/index.js';
import { isEqual } from '../../client/values.js';

/** Returns whether a change concerns a controller. */
export type Predicate<T = ApiObjectLike> = (change: ObjectChange<T>) => boolean;

/** Makes a predicate: the value that a function returns for an object has changed. */
export const fieldChanged =
  <T extends ApiObjectLike>(read: (object: T) => unknown): Predicate<T> =>
  (change) =>
    change.type !== 'changed' || !isEqual(read(change.before), read(change.object));

/**
 * Lets a change of the spec through, and the beginning of a deletion, but no write to the status. Kinds without a
 * generation, such as ConfigMap, pass with every change.
 */
export const generationChanged: Predicate = (change) => {
  if (change.type !== 'changed') return true;
  const before = change.before.metadata;
  const { generation, deletionTimestamp } = change.object.metadata;
  return generation === undefined || before.generation !== generation || before.deletionTimestamp !== deletionTimestamp;
};

/** Lets changes of labels through. */
export const labelsChanged: Predicate = fieldChanged(({ metadata }) => metadata.labels ?? {});

/** Lets changes of annotations through. */
export const annotationsChanged: Predicate = fieldChanged(({ metadata }) => metadata.annotations ?? {});

/** Makes a predicate: at least one of others holds. */
export const anyOf =
  <T = ApiObjectLike>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (change) =>
    predicates.some((holds) => holds(change));

/** Makes a predicate: all of others hold. */
export const allOf =
  <T = ApiObjectLike>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (change) =>
    predicates.every((holds) => holds(change));
