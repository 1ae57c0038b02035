/** Keeps the objects of a collection in memory, up to date. */

import type { ObjectChange } from './collection-events.js';
import type { LabelMatch } from './label-selector.js';

/** Reading costs no request. The objects may be older than on the server. Do not change them. */
export interface Cache<T> {
  /** Returns the object at `namespace/name`, or at its name alone if it is not in a namespace. */
  get(key: string): T | undefined;
  /** Returns all objects, in no particular order. */
  values(): Iterable<T>;
  readonly size: number;
}

/** Selects objects of a cache. */
export interface CacheSelection {
  readonly namespace?: string;
  /** As in `app=web,tier!=cache`. */
  readonly labelSelector?: string | LabelMatch;
}

/** A cache that reports its changes, and finds objects by its indexes. */
export interface ObjectCache<T, Index extends string = string> extends Cache<T> {
  /** Resolves when the whole state is here for the first time. Rejects if the cache is closed before. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Changes with each change of the objects, and only then. */
  readonly version: number;
  /** Returns the objects in the order of their keys. Throws a TypeError if the selector is not valid. */
  list(selection?: CacheSelection): T[];
  /**
   * Returns the objects with a value in an index, in no particular order. Throws a TypeError if the index does not
   * exist.
   */
  byIndex(index: Index, value: string): T[];
  /**
   * Calls a handler with every change, once and in order. Unless `fromNow` is set, the handler first gets each present
   * object as added. The returned function removes the handler.
   */
  onChange(handler: (change: ObjectChange<T>) => void, options?: { readonly fromNow?: boolean }): () => void;
}
