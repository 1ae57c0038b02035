/** Values of which no two objects may hold the same, such as addresses and ports: how a kind gets and holds them. */
import type { Failure } from './failure.js';
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
}
