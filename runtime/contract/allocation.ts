/** How objects of a kind get and hold values that only one object may hold, such as addresses and ports. */
import type { Failure } from './failure.js';
import type { HandlerContext } from './handler-context.js';
import type { ApiObject, JsonObject } from './object.js';
import type { ServiceAllocation } from './observer.js';

/**
 * A value after the name of its pool, as in `nodePorts/30080`. Each kind defines its own pools; no other code parses
 * the values.
 */
export type PooledValue = string;

/** The values that a write claims. */
export interface Claims {
  /**
   * Reports whether an object holds the value or has claimed it, including the object that is written. A free value may
   * be taken a moment later.
   */
  isTaken(value: PooledValue): boolean;
  /**
   * Claims a value for the object that is written. Returns false if another object has it or claimed it first. The
   * claim ends with the write: then the stored object holds the value, or no object does. A dry run claims nothing.
   */
  take(value: PooledValue): Promise<boolean>;
  /**
   * Resolves to the stored objects of another cluster-scoped resource; do not change them. Resolves to `undefined`
   * while the resource is not served, or if the kind keeps no records.
   */
  objectsOf(group: string, plural: string): Promise<readonly ApiObject[] | undefined>;
  /** Reports a value that a service got, or could not get. Absent if nobody counts it. */
  allocated?(allocation: ServiceAllocation, seconds: number): void;
}

/**
 * How objects of a kind get values that only one object may hold. Only stored objects decide which values are taken. So
 * a value is free once no object holds it, and all servers on the same data agree, also after restarts.
 */
export interface Allocation<T = ApiObject> {
  /** Returns the values that a stored object holds. Pure. */
  holds(object: T): readonly PooledValue[];
  /**
   * Completes an object in place before validation: fills in missing values, and claims the values that `old` did not
   * hold. `old` is absent for a create. Resolves to the failure, if any.
   */
  assign(object: T, old: T | undefined, claims: Claims, context: HandlerContext): Promise<Failure | undefined>;
  /** Objects that record the values for users to see; absent if the kind keeps no records. */
  readonly records?: AllocationRecords;
}

/**
 * Objects of a cluster-scoped kind, `T`, that record which object holds a value. The server creates a record before an
 * object holds the value, and removes it after no object does. While it exists, no other object gets the value.
 */
export interface AllocationRecords<T = ApiObject> {
  /** In platform names. Nothing is recorded while the resource is not served. */
  readonly group: string;
  readonly plural: string;
  /** Nothing is recorded while this gate is off. */
  readonly featureGate: string;
  /** Returns the name of a value's record; `undefined` for values that are not recorded. */
  nameOf(value: PooledValue): string | undefined;
  /** Returns the record for a value, by the record's name. `holder` is complete and holds the value. */
  recordOf(name: string, holder: ApiObject): ValueRecord;
  /** Reports whether a record belongs to this kind and names this object as the holder. */
  names(record: T, holder: ApiObject): boolean;
}

/** The content of a record without its kind. */
export interface ValueRecord {
  readonly metadata: { name: string; labels: { [key: string]: string } };
  readonly spec: JsonObject;
}
