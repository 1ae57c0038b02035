/** The options of a store that several servers share. */
import type { Damage, Store } from '../../contract/index.js';
import type { StoreStatistics } from '../memory/replica.js';
import type { OpenStoreOptions } from '../open-store.js';

/** The driver may have a limit of its own for the size of an object. */
export interface SharedStoreOptions extends Omit<OpenStoreOptions, 'backend' | 'onDamage'> {
  /**
   * Lets this server forget old history in the driver's data; true by default. If no server may, someone else must, or
   * the data grows.
   */
  readonly compaction?: boolean;
  /** Seconds that the server that forgets history may be silent before another takes over; 15 by default. */
  readonly leaseSeconds?: number;
  /** Milliseconds to wait for the data to be there; 30 seconds by default. */
  readonly openWithinMs?: number;
  /** The most changes in one group; by default, and at most, as many as the driver takes. */
  readonly largestGroup?: number;
  /** Only reads the store and changes nothing: data of an earlier format keeps it. */
  readonly readOnly?: boolean;
  /** As for embedded backends. What cannot be read later on is not served, and listed in `damage`. */
  readonly onDamage?: 'refuse' | 'serve-rest' | 'replace';
  /** Called with each object that turns out damaged after the store was opened. */
  readonly onDamageFound?: ((damage: Damage) => void) | undefined;
}

/** A store with figures about itself. */
export interface SharedStore extends Store {
  readonly statistics: StoreStatistics;
  /** Objects that cannot be read, and are not served. */
  readonly damage: readonly Damage[];
}
