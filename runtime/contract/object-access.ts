/** A narrow interface to stored objects: their places, and functions that read, change and delete them. */
import type { Failure, Result } from './failure.js';
import type { ApiObject } from './object.js';

/** The place of a stored object. */
export interface ObjectPlace {
  /** Empty for the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

/** The preconditions and options of a delete. */
export interface DeleteDemands {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: 'Orphan' | 'Foreground' | 'Background';
  /** Seconds until the removal, for kinds with a grace period. Default: the object's own. */
  readonly gracePeriodSeconds?: number;
}

/**
 * A handler's access to stored objects, in their stored version. Objects that it returns are frozen. Changes are
 * committed directly: admission and validation do not run, and no field changes its owner. A dry run writes nothing.
 */
export interface ObjectAccess {
  readonly get: (place: ObjectPlace) => ApiObject | undefined;
  /** Returns all objects of a namespace, or of the cluster if the namespace is empty. */
  readonly list: (place: Omit<ObjectPlace, 'name'>) => readonly ApiObject[];
  /**
   * Changes an object in place, and retries if another writer was faster. Fails with `NotFound`, with the failure of
   * `change`, or with `Conflict` if other writers keep winning.
   */
  readonly update: (
    place: ObjectPlace,
    change: (object: ApiObject) => Failure | undefined,
  ) => Promise<Result<ApiObject>>;
  /** Deletes an object as a client would. */
  readonly delete: (place: ObjectPlace, demands: DeleteDemands) => Promise<Result<ApiObject>>;
}
