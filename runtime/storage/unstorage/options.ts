/** The options of the backend over unstorage and of its drivers, without the types of unstorage: these name packages not installed. */
import type { JournalOptions } from '../backends/journal.js';

export interface UnstorageOptions extends JournalOptions {
  /** The prefix of all keys, before a colon; `kindforge` by default. Lower-case letters, digits and `-`. */
  readonly base?: string;
  /** Where the data lies, for messages; by default the driver's name. */
  readonly place?: string;
  /** How long other writers are waited for; see `OwnershipTiming`. */
  readonly timing?: Partial<OwnershipTiming>;
  /** Called when the backend is closed, or could not be opened. A driver that was handed in stays open by default. */
  readonly release?: () => Promise<void>;
}

/** Times in milliseconds. */
export interface OwnershipTiming {
  /** How often a writer gives a sign of life, and looks whether it has been superseded. */
  readonly heartbeatMs: number;
  /** How long a writer of which nothing else is known may be silent before it counts as gone. */
  readonly silenceMs: number;
  /** How long a claim rests before it counts, so that of several that start together all but one hear so at once. */
  readonly settleMs: number;
}

/** A driver's options by name. */
export type DriverOptions = Readonly<Record<string, unknown>>;

/** A driver or a storage of unstorage, as far as it can be typed without unstorage. */
export interface UnstorageTarget {
  getItem(key: string, options: object): unknown;
  getKeys(base: string, options: object): unknown;
}

/** A driver, and how to be done with it. */
export interface OpenDriver<T = UnstorageTarget> {
  readonly driver: T;
  /** Ends what the driver holds open. */
  readonly release: () => Promise<void>;
}
