/** The outcome of a write, before it is turned into an answer. */
import type { ApiObject, Entry } from '../contract/index.js';

/** A successful write. */
export interface Outcome {
  /** The object as it now is, or as it was last when it is gone. */
  readonly object: ApiObject;
  /** The stored entry, where the object was stored: its bytes are the answer. Absent for dry runs. */
  readonly entry?: Entry;
  /** Whether the write brought the object into being. */
  readonly created: boolean;
  /** Whether the object is gone from the store. */
  readonly removed: boolean;
}
