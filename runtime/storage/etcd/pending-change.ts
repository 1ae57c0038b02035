/** A change of this server's own on its way through etcd. */
import type { Change, Key, Revision } from '../../contract/index.js';
import type { StoredEntry } from '../memory/stored-entry.js';
import { withPosition } from './numbering.js';

export class PendingChange {
  readonly change: Change;
  /** The last state of a deleted object as it is sent to etcd. */
  readonly last: Buffer | undefined;
  /** Bytes that it adds to a transaction, about. */
  readonly size: number;
  /** The entries of the key since the change was made, as the watch delivers them. */
  readonly arrived: StoredEntry[] = [];
  /** True while its base is not confirmed, so that the head must be compared. */
  isUnconfirmed: boolean;
  #position = 0;
  #value: Buffer | undefined;

  constructor(change: Change) {
    const { key, next, last, basis } = change;
    this.change = change;
    this.isUnconfirmed = basis !== undefined;
    this.last = !next && last ? Buffer.from(last.text) : undefined;
    this.size = key.length + (next ? Buffer.byteLength(next.text) : (this.last?.length ?? 0));
  }

  get key(): Key {
    return this.change.key;
  }

  /** Its place in the transaction that it is sent with. It keeps it when it is sent again. */
  get position(): number {
    return this.#position;
  }

  /** The new state as it is sent to etcd; undefined for a deletion, and until it has been placed. */
  get value(): Buffer | undefined {
    return this.#value;
  }

  place(position: number): void {
    const { next } = this.change;
    this.#position = position;
    this.#value = next && Buffer.from(withPosition(next, position));
  }

  arrivedAt(revision: Revision): StoredEntry | undefined {
    return this.arrived.find((entry) => entry.revision === revision);
  }

  /** True if it was decided on a state that is known not to be the latest. */
  get isOutdated(): boolean {
    return this.isUnconfirmed && this.change.basis?.isOutdated === true;
  }

  /** True if it writes anything; the deletion of an absent object does not. */
  get writes(): boolean {
    return this.change.next !== undefined || this.change.expected > 0;
  }
}
