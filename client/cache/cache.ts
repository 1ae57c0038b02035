/** The objects of a collection, kept up to date on this side. */
import type { LabelMatch } from './label-selector.js';
import type { ObjectChange } from './told.js';

/** Reading costs no request; what is read may be older than what the server has. Nobody changes what is in here. */
export interface Cache<T> {
  /** By `namespace/name`, or by the name of an object that is in no namespace. */
  get(key: string): T | undefined;
  /** All objects, in no order. */
  values(): Iterable<T>;
  readonly size: number;
}

/** Which objects of a cache are meant. */
export interface CacheSelection {
  readonly namespace?: string;
  /** As in `app=web,tier!=cache`. */
  readonly labelSelector?: string | LabelMatch;
}

/** A cache that tells of its changes, and finds objects by its indexes. */
export interface ObjectCache<T, Index extends string = string> extends Cache<T> {
  /** Resolves when the whole state is here for the first time; rejects where the cache is closed before. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Another number after each change; what is read stays the same as long as it does. */
  readonly version: number;
  /** Objects in the order of their keys. Throws a TypeError where the selector makes no sense. */
  list(selection?: CacheSelection): T[];
  /** Objects that an index has under a value, in no particular order. Throws a TypeError where there is no such index. */
  byIndex(index: Index, value: string): T[];
  /**
   * Tells a handler what is there as added, but for `fromNow`, and then of every change, once and in order; the answer
   * ends that.
   */
  onChange(handler: (change: ObjectChange<T>) => void, options?: { readonly fromNow?: boolean }): () => void;
}
