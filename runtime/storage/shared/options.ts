/** The options of a store that several servers share. */
import type { Damage, Store } from '../../contract/index.js';
import type { StoreStatistics } from '../memory/replica.js';
import type { OpenStoreOptions } from '../open-store.js';

/** The driver may have its own limit for the size of an object. */
export interface SharedStoreOptions extends Omit<OpenStoreOptions, 'backend' | 'onDamage'> {
  /**
   * Lets this server forget old history in the driver's data. Default: true. If no server may do this, another program
   * must, or the data grows.
   */
  readonly compaction?: boolean;
  /**
   * The time for which the server that forgets history may be silent before another takes over, in seconds; 15 by
   * default.
   */
  readonly leaseSeconds?: number;
  /** The time to wait for the data to be there, in milliseconds; 30 seconds by default. */
  readonly openWithinMs?: number;
  /** The most changes in one group; by default, and at most, as many as the driver takes. */
  readonly largestGroup?: number;
  /** Only reads the store and changes nothing. Data of an earlier format keeps its format. */
  readonly readOnly?: boolean;
  /** As for embedded backends. Objects that turn out unreadable later are not served, and are listed in `damage`. */
  readonly onDamage?: 'refuse' | 'serve-rest' | 'replace';
  /** Called with each object that turns out damaged after the store was opened. */
  readonly onDamageFound?: ((damage: Damage) => void) | undefined;
}

/** A store with figures about itself. */
export interface SharedStore extends Store {
  readonly statistics: StoreStatistics;
  /** Objects that the store does not serve because it cannot read them. */
  readonly damage: readonly Damage[];
}
