/** Values of which no two objects may hold the same, such as addresses and ports: how a kind gets and holds them. */
import type { Failure } from './failure.js';
import type { JsonObject } from './json.js';
import type { ApiObject } from './object.js';
import type { StrategyContext } from './strategy.js';

/**
 * A value with its pool before it, as in `nodePorts/30080`. Pools are the kind's own; nobody else looks into the values.
 */
export type PooledValue = string;

/** What a write has claimed of the values that are held once. */
export interface Claims {
  /** Whether an object holds the value, be it this one, or is about to; what is free now may be taken a moment later. */
  isTaken(value: PooledValue): boolean;
  /**
   * Claims a value for the object that is written; false where another has it, or was faster. The claim ends with the
   * write: from then on the stored object holds the value, or nobody does. A dry run claims nothing.
   */
  take(value: PooledValue): Promise<boolean>;
}

/**
 * How the objects of a kind come to values that they hold alone. What is taken follows from the stored objects alone,
 * so that a value is free again as soon as no object holds it, and restarts and other servers on the same data agree.
 */
export interface Allocation {
  /** The values that a stored object holds. Pure. */
  holds(object: ApiObject): readonly PooledValue[];
  /**
   * Completes an object in place, before it is validated: fills in the values that it lacks, and claims all that it
   * holds and the old one did not. `old` is absent for a create. Resolves to why it cannot be.
   */
  assign(
    object: ApiObject,
    old: ApiObject | undefined,
    claims: Claims,
    context: StrategyContext,
  ): Promise<Failure | undefined>;
  /** Where the values are written down besides, for all to see; nowhere where absent. */
  readonly records?: AllocationRecords;
}

/**
 * Objects of a cluster-scoped kind that say who holds a value. A record is there before its value is held, and goes after
 * the value has been given up; while there is one, nobody else gets the value, whoever made the record.
 */
export interface AllocationRecords {
  /** Under the names that are served. While the resource is not served, nothing is recorded. */
  readonly group: string;
  readonly plural: string;
  /** Nothing is recorded while it is off. */
  readonly featureGate: string;
  /** The name of a value's record; absent for values that are not recorded. */
  nameOf(value: PooledValue): string | undefined;
  /** The record that says that this object, which is complete, holds the value. */
  recordOf(name: string, holder: ApiObject): ValueRecord;
  /** Whether a record is one of these and names this object. */
  names(record: ApiObject, holder: ApiObject): boolean;
}

/** What a record says besides its kind. */
export interface ValueRecord {
  readonly metadata: { name: string; labels: { [key: string]: string } };
  readonly spec: JsonObject;
}
