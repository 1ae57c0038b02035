/** Counts the store's revisions. Each is one integer of a revision of etcd and the position of a change in it. */
import type { EncodedObject, Revision } from '../../contract/index.js';
import { readStamp, stampRevision } from '../stamp.js';

/** A revision as etcd counts it. All changes of one transaction share it. */
export type EtcdRevision = number;

/**
 * The number of positions in a revision of etcd: the low 7 bits of the 53 bits that a number has. The other 46 bits
 * last over a thousand years, with 2,200 transactions a second of up to 100 changes each.
 */
export const POSITIONS = 128;

export class Numbering {
  readonly #base: number;
  readonly #positions: number;

  /**
   * `base` is the number that a restore, or an earlier format, has added to revisions. `positions` is 1 in the first
   * format, in which each change had its own revision of etcd.
   */
  constructor(base: number, positions: number = POSITIONS) {
    this.#base = base;
    this.#positions = positions;
  }

  /** Returns the revision of the change at a position, from 0, in a revision of etcd. */
  toStore(revision: EtcdRevision, position = 0): Revision {
    return revision * this.#positions + position + this.#base;
  }

  /**
   * Returns the revision of etcd that holds a change. 0 means absence and stays 0. A revision before the base becomes a
   * revision that no key has.
   */
  toEtcd(revision: Revision): EtcdRevision {
    return revision === 0 ? 0 : Math.max(1, Math.floor((revision - this.#base) / this.#positions));
  }
}

// An object stores the position of its last change in the transaction, in the place of its resourceVersion.

/** Returns the object as etcd stores it. Leaves out the first position, so a lone change keeps its earlier format. */
export function withPosition(object: EncodedObject, position: number): string {
  return position === 0 ? object.text : stampRevision(object, position);
}

/** Returns the position in a stored object; 0 if it has none. */
export function positionOf(value: Buffer): number {
  const stamp = readStamp(value);
  if (stamp === '') return 0;
  const position = Number(stamp);
  return Number.isInteger(position) && position > 0 && position < POSITIONS ? position : 0;
}
