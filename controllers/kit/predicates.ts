/** Predicates decide which changes concern a controller, for `when` of `watch`. New and removed objects always do. */

import type { ApiObjectLike, ObjectChange } from '../../client/index.js';
import { isEqual } from '../../client/values.js';

/** Returns whether a change concerns a controller. */
export type Predicate<T = ApiObjectLike> = (change: ObjectChange<T>) => boolean;

/** Makes a predicate: the result of a function for an object has changed. */
export const fieldChanged =
  <T extends ApiObjectLike>(read: (object: T) => unknown): Predicate<T> =>
  (change) =>
    change.type !== 'changed' || !isEqual(read(change.before), read(change.object));

/**
 * Accepts a change of the spec, and the beginning of a deletion, but no write to the status. Accepts every change of
 * kinds without a generation, such as ConfigMap.
 */
export const generationChanged: Predicate = (change) => {
  if (change.type !== 'changed') return true;
  const before = change.before.metadata;
  const { generation, deletionTimestamp } = change.object.metadata;
  return generation === undefined || before.generation !== generation || before.deletionTimestamp !== deletionTimestamp;
};

/** Accepts changes of labels. */
export const labelsChanged: Predicate = fieldChanged(({ metadata }) => metadata.labels ?? {});

/** Accepts changes of annotations. */
export const annotationsChanged: Predicate = fieldChanged(({ metadata }) => metadata.annotations ?? {});

/** Makes a predicate: at least one of the given predicates holds. */
export const anyOf =
  <T = ApiObjectLike>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (change) =>
    predicates.some((holds) => holds(change));

/** Makes a predicate: all given predicates hold. */
export const allOf =
  <T = ApiObjectLike>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (change) =>
    predicates.every((holds) => holds(change));
