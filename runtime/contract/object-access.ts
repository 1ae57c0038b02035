/** A narrow way to stored objects: where each is, and how to read, change and delete it. */
import type { Failure, Result } from './failure.js';
import type { ApiObject } from './object.js';

/** Where a stored object is. */
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
  /** Seconds until the end, for kinds that take their time; as their objects say where not given. */
  readonly gracePeriodSeconds?: number;
}

/**
 * A handler's narrow way to stored objects, in the version that they are stored in. What is read is frozen. Changes are
 * committed as they are: neither admission nor validation is asked, and nobody's fields change owners. In a dry run
 * nothing is written.
 */
export interface ObjectAccess {
  readonly get: (place: ObjectPlace) => ApiObject | undefined;
  /** All of a namespace, or of the cluster where it is empty. */
  readonly list: (place: Omit<ObjectPlace, 'name'>) => readonly ApiObject[];
  /**
   * Changes an object in place, again where another writer was faster. Fails with `NotFound`, with what the change
   * fails with, and with `Conflict` where others keep being faster.
   */
  readonly update: (
    place: ObjectPlace,
    change: (object: ApiObject) => Failure | undefined,
  ) => Promise<Result<ApiObject>>;
  /** Deletes an object as a client would. */
  readonly delete: (place: ObjectPlace, demands: DeleteDemands) => Promise<Result<ApiObject>>;
}
