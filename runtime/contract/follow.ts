/** Follows stored objects, for parts of the server. */
import type { Entry, Key, Subscription } from './store.js';

/** The objects under one prefix. If a function throws, the follower reports the error and starts again. */
export interface FollowedPart {
  /** The prefix of the objects' keys: `<group>/<plural>/`. */
  readonly prefix: string;
  /** Stores an object, replacing the one at its key. */
  readonly put: (entry: Entry) => void;
  /** Removes the object at a key, if any. */
  readonly remove: (key: Key) => void;
  /** Loads the code that reads an object. Returns nothing if the object can be read at once. */
  readonly ready?: (entry: Entry) => Promise<void> | void;
}

/**
 * Keeps state made from the objects of a few resources. A follower calls `reset`, puts every object and calls
 * `complete`. From then on it passes on each change before the writer gets an answer. After an error it repeats all of
 * this, so no partial state remains. No function may block.
 */
export interface FollowSink {
  readonly parts: readonly FollowedPart[];
  /** Discards everything that was put so far. */
  readonly reset: () => void;
  /** Signals that all existing objects have been put. */
  readonly complete?: () => void;
  /** Signals that the store is closed and no more changes follow. */
  readonly closed?: () => void;
}

/** A follower of the objects of one sink. */
export interface Following extends Subscription {
  /** Whether the sink may have missed a change for more than 30 seconds. Its state must then not be used. */
  readonly isStale: boolean;
}

/**
 * Follows stored objects until it is stopped or the store closes. If the store can be read, the sink holds all objects
 * before this returns. The name of the follower appears in `/readyz`, `/metrics` and the log.
 */
export type Follow = (name: string, sink: FollowSink) => Following;
