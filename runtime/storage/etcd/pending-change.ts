/** A change of this server's own on its way through etcd. */
import type { Change, Revision } from '../../contract/index.js';
import type { StoredEntry } from '../memory/stored-entry.js';

export interface PendingChange {
  readonly change: Change;
  /** The new state as it is sent to etcd; absent for a deletion. */
  readonly value?: Buffer;
  /** The last state of a deleted object as it is sent to etcd. */
  readonly last?: Buffer;
  /** The entries of the key since the change was sent, by revision, as the watch delivers them. */
  readonly arrived: Map<Revision, StoredEntry>;
}
