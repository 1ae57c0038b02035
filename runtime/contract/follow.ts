/** How a part of the server keeps up with stored objects. */
import type { Entry, Key, Subscription } from './store.js';

/** The objects under one prefix. The functions may throw: the follower reports that and starts again. */
export interface FollowedPart {
  /** `<group>/<plural>/`, as keys begin. */
  readonly prefix: string;
  /** Takes in an object, in place of the one at its key. */
  readonly put: (entry: Entry) => void;
  /** Takes an object away; there may be none at the key. */
  readonly remove: (key: Key) => void;
  /** Loads what it takes to read an object; returns nothing if the object can be read at once. */
  readonly ready?: (entry: Entry) => Promise<void> | void;
}

/**
 * Keeps what is made of the objects of a few resources. A follower calls `reset`, puts every object, calls `complete`, and
 * from then on hands over each change before the writer hears that it is done. It does all of this again after a fault, so
 * that nothing half done stays. None of the functions may block.
 */
export interface FollowSink {
  readonly parts: readonly FollowedPart[];
  /** All that was put so far no longer counts. */
  readonly reset: () => void;
  /** All objects there are have been put. */
  readonly complete?: () => void;
  /** The store is closed: nothing more will come. */
  readonly closed?: () => void;
}

/** What follows the objects of one sink. */
export interface Following extends Subscription {
  /** Whether the sink may have missed a change for longer than 30 seconds, so that its state no longer counts. */
  readonly isStale: boolean;
}

/**
 * Follows stored objects until it is stopped or the store is closed. The sink holds all objects before this returns, if the
 * store can be read. The name is that of the part of the server, for `/readyz`, `/metrics` and the log.
 */
export type Follow = (name: string, sink: FollowSink) => Following;
