/** Values that no two objects may hold, such as addresses and ports: how objects of a kind get and hold them. */
import type { Failure } from './failure.js';
import type { HandlerContext } from './handler-context.js';
import type { JsonObject } from './json.js';
import type { ApiObject } from './object.js';

/**
 * A value with its pool before it, as in `nodePorts/30080`. Pools are the kind's own; nobody else looks into the
 * values.
 */
export type PooledValue = string;

/** The values that a write claims. */
export interface Claims {
  /**
   * Whether an object holds the value or is about to, the one that is written included. A free value may be taken a
   * moment later.
   */
  isTaken(value: PooledValue): boolean;
  /**
   * Claims a value for the object that is written; false where another has it, or was faster. The claim ends with the
   * write: then the stored object holds the value, or no object does. A dry run claims nothing.
   */
  take(value: PooledValue): Promise<boolean>;
}

/**
 * How the objects of a kind get values that they hold alone. The stored objects alone say which values are taken, so
 * that a value is free again as soon as no object holds it, and restarts and other servers on the same data agree.
 */
export interface Allocation<T = ApiObject> {
  /** The values that a stored object holds. Pure. */
  holds(object: T): readonly PooledValue[];
  /**
   * Completes an object in place, before it is validated: fills in the values that it lacks, and claims those that it
   * holds and the old one did not. `old` is absent for a create. Resolves to the failure, if there is one.
   */
  assign(object: T, old: T | undefined, claims: Claims, context: HandlerContext): Promise<Failure | undefined>;
  /** Objects that record the values, for everyone to see; absent where there are none. */
  readonly records?: AllocationRecords;
}

/**
 * Objects of a cluster-scoped kind, `T`, that record which object holds a value. A record is made before its value is
 * held, and removed after the value has been given up; while it is there, no other object gets the value.
 */
export interface AllocationRecords<T = ApiObject> {
  /** Under the names that are served. While the resource is not served, nothing is recorded. */
  readonly group: string;
  readonly plural: string;
  /** Nothing is recorded while it is off. */
  readonly featureGate: string;
  /** The name of a value's record; absent for values that are not recorded. */
  nameOf(value: PooledValue): string | undefined;
  /** The record that says that this object, which is complete, holds the value. */
  recordOf(name: string, holder: ApiObject): ValueRecord;
  /** Whether a record is one of these and names this object as the holder. */
  names(record: T, holder: ApiObject): boolean;
}

/** The content of a record besides its kind. */
export interface ValueRecord {
  readonly metadata: { name: string; labels: { [key: string]: string } };
  readonly spec: JsonObject;
}
