/** Takes etcd's events apart into changes of the store, transaction by transaction. */
import type { Key } from '../../contract/index.js';
import type { Layout } from './layout.js';
import { DELETED, type EtcdEvent } from './messages.js';
import { type EtcdRevision, positionOf } from './numbering.js';

export interface ObjectChange {
  readonly key: Key;
  /** The new state; absent for a deletion. */
  readonly value?: Buffer;
  /** The reason if the value cannot be decrypted. */
  readonly locked?: string;
}

/** All that happened under the prefix at one revision of etcd. */
export interface RevisionChanges {
  readonly revision: EtcdRevision;
  /** In the order in which the transaction made them. */
  readonly objects: readonly ObjectChange[];
  /** The value of the head; absent if the head was not written. */
  readonly head?: Buffer;
  /** The last states that the head has, decrypted; absent if nothing is encrypted. */
  readonly last?: ReadonlyMap<Key, Buffer>;
  /** True if a restore has begun or ended, or the format has changed. */
  readonly restored: boolean;
}

const NOTHING = Buffer.alloc(0);

/** Groups events, which come in the order of their revisions and with all of a revision together. */
export function* changesOf(events: readonly EtcdEvent[], layout: Layout): Generator<RevisionChanges> {
  let revision: EtcdRevision = 0;
  let objects: ObjectChange[] = [];
  let head: Buffer | undefined;
  let restored = false;
  for (const { type, kv = {} } of events) {
    const { key: place = NOTHING, modRevision = 0, value = NOTHING } = kv;
    if (modRevision !== revision) {
      if (revision > 0) yield { revision, objects, head, restored };
      revision = modRevision;
      objects = [];
      head = undefined;
      restored = false;
    }
    restored ||= layout.isRestore(place);
    const key = layout.keyOf(place);
    if (key !== undefined) objects.push(type === DELETED ? { key } : { key, value });
    else if (layout.isHead(place)) head = value;
  }
  if (revision > 0) yield { revision, objects, head, restored };
}

/**
 * Returns the positions of a transaction's changes, in its order. An object stores the position of its new state; a
 * deletion, or a state that cannot be decrypted, takes the position after the change before it. Undefined if they do not
 * ascend: then another program made the changes.
 */
export function positionsOf(objects: readonly ObjectChange[]): readonly number[] | undefined {
  const positions: number[] = [];
  let next = 0;
  for (const { value, locked } of objects) {
    const position = value && locked === undefined ? positionOf(value) : next;
    if (position < next) return undefined;
    positions.push(position);
    next = position + 1;
  }
  return positions;
}
