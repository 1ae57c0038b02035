/** The options of a store that several servers share. */
import type { AttributeReader, Damage, OnLoading, Store } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import type { StoreStatistics } from '../memory/replica.js';

export interface SharedStoreOptions {
  /** Encrypts all objects that the driver gets. Default: nothing is encrypted. */
  readonly encryption?: Encryption | undefined;
  /** Reads what selectors may ask of an object. */
  readonly readAttributes: AttributeReader;
  /** The time for which changes can be replayed and earlier states listed, in milliseconds; 5 minutes by default. */
  readonly historyWindowMs?: number;
  /**
   * The most bytes of memory that history may use; 64 MiB by default. If that does not suffice, the window is shorter.
   */
  readonly historyMaxBytes?: number;
  /** Bytes of the largest object that is stored, 1.5 MiB by default; the driver may have a limit of its own besides. */
  readonly maxObjectBytes?: number;
  /** Called with the progress of the opening. */
  readonly onLoading?: OnLoading | undefined;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
  /** Called with errors that the sinks of watches throw, which they must not; prints them by default. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
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
