/** Counts the store's revisions: one integer of etcd's revision and the position of a change in it. */
import type { EncodedObject, Revision } from '../../contract/index.js';
import { readStamp, stampRevision } from '../stamp.js';

/** A revision as etcd counts it: all changes of one transaction share it. */
export type EtcdRevision = number;

/**
 * The number of positions in a revision of etcd: the low 7 bits of the 53 that a number holds. The other 46 last for
 * 2,200 transactions a second, with up to 100 changes each, over a thousand years.
 */
export const POSITIONS = 128;

export class Numbering {
  readonly #base: number;
  readonly #positions: number;

  /**
   * `base` is how far a restore, or an earlier format, has moved revisions on; `positions` is 1 in the format in which
   * each change had a revision of etcd's to itself.
   */
  constructor(base: number, positions: number = POSITIONS) {
    this.#base = base;
    this.#positions = positions;
  }

  /** Returns the revision of the change at a position, from 0, of a revision of etcd. */
  toStore(revision: EtcdRevision, position = 0): Revision {
    return revision * this.#positions + position + this.#base;
  }

  /**
   * Returns the revision of etcd that holds a change. 0, which means absence, stays 0; a revision from before the base
   * becomes one that no key has.
   */
  toEtcd(revision: Revision): EtcdRevision {
    return revision === 0 ? 0 : Math.max(1, Math.floor((revision - this.#base) / this.#positions));
  }
}

// The position of an object's last change in its transaction, stored in the place of its resourceVersion.

/** Returns the object as etcd holds it. The first position is left out: a lone change keeps its earlier format. */
export function withPosition(object: EncodedObject, position: number): string {
  return position === 0 ? object.text : stampRevision(object, position);
}

/** Returns the position that a stored object names; 0 if it names none. */
export function positionOf(value: Buffer): number {
  const stamp = readStamp(value);
  if (stamp === '') return 0;
  const position = Number(stamp);
  return Number.isInteger(position) && position > 0 && position < POSITIONS ? position : 0;
}
