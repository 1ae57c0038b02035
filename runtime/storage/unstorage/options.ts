/**
 * The options of the backend over unstorage and its drivers. They do not use unstorage's types, which name packages
 * that may be missing.
 */
import type { JournalOptions } from '../backends/journal.js';

export interface UnstorageOptions extends JournalOptions {
  /** The prefix of all keys, before a colon; `kindforge` by default. Lower-case letters, digits and `-`. */
  readonly base?: string;
  /** The location of the data, for messages; by default the driver's name. */
  readonly place?: string;
  /** Times to wait for other writers; see `OwnershipTiming`. */
  readonly timing?: Partial<OwnershipTiming>;
  /**
   * Called when the backend is closed, or could not be opened. By default, a driver that the caller passed in stays
   * open.
   */
  readonly release?: () => Promise<void>;
}

/** Times in milliseconds. */
export interface OwnershipTiming {
  /** The interval at which a writer sends a heartbeat, and checks whether another writer has taken over. */
  readonly heartbeatMs: number;
  /** The longest silence of a writer before it counts as gone, if nothing else is known about it. */
  readonly silenceMs: number;
  /**
   * The time before a claim counts. If several writers start together, all but one find out within this time that they
   * lost.
   */
  readonly settleMs: number;
}

/** A driver's options by name. */
export type DriverOptions = Readonly<Record<string, unknown>>;

/** A driver or a storage of unstorage, in types that do not need unstorage. */
export interface UnstorageTarget {
  getItem(key: string, options: object): unknown;
  getKeys(base: string, options: object): unknown;
}

/** A driver, and the function that releases it. */
export interface OpenDriver<T = UnstorageTarget> {
  readonly driver: T;
  /** Closes the connections and files of the driver. */
  readonly release: () => Promise<void>;
}
