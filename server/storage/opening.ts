/** How a store is opened, and what comes of it. */
import type { AttributeReader, Damage, OnLoading, StorageObserver, Store } from '../../runtime/contract/index.js';
import type { DamageOption, HistoryOption } from './storage-option.js';

/** An open store, and how to speak of it. */
export interface Storage {
  readonly store: Store;
  /** Where the data lies, for people. */
  readonly place: string;
  /** Lets history begin now. */
  readonly forgetHistory: () => void;
  /** Damage that was found; it is left out of the store. */
  readonly damage: readonly Damage[];
}

/** How a store is opened. */
export interface Opening {
  /** `replace` opens whatever is there, in order to restore over it. */
  readonly onDamage: DamageOption | 'replace';
  readonly readAttributes: AttributeReader;
  /** Whether a store that others share is only looked at: data of an earlier format stays what it is. */
  readonly readOnly?: boolean;
  /** As the stores have it where absent. */
  readonly history?: HistoryOption;
  /** A clock in milliseconds that never goes back, for embedded stores; the machine's where absent. */
  readonly now?: (() => number) | undefined;
  /** Bytes of the largest object; as the stores have it where absent. */
  readonly maxObjectBytes?: number;
  /** Told of what the sinks of watches throw; it is printed where absent. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
  /** Told how far it is; nobody is where absent. */
  readonly onLoading?: OnLoading;
  /** Told of what storage does; nobody is where absent. */
  readonly observer?: StorageObserver;
}
