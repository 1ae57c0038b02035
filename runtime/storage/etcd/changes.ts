/** Groups etcd's events into the changes of each transaction. */
import type { Key, SharedChange, SharedGroup } from '../../contract/index.js';
import { type MaybePromise, mapSync, thenSync } from '../../objects/turns.js';
import { decodeHead, type Layout } from './layout.js';
import { DELETED, type EtcdEvent } from './messages.js';
import { type EtcdRevision, positionOf } from './numbering.js';
import { type EtcdData, unlockAt } from './records.js';

/** All changes under the prefix at one revision of etcd. */
export interface RevisionChanges {
  readonly revision: EtcdRevision;
  /** In the order in which the transaction made them. */
  readonly objects: readonly ObjectChange[];
  /** The value of the head; absent if the head was not written. */
  readonly head?: Buffer | undefined;
  /** True if a restore has begun or ended, or the format has changed. */
  readonly restored: boolean;
}

export interface ObjectChange {
  readonly key: Key;
  /** The new state; absent for a deletion. */
  readonly value?: Buffer;
  /** The reason if the value cannot be decrypted. */
  readonly locked?: string;
}

const NOTHING = Buffer.alloc(0);

/** Groups events by revision. The events of one revision arrive together, and revisions ascend. */
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
 * Returns the changes as a group. Returns `undefined` if another program made them: it did not write the head, or it
 * stored positions that do not ascend. Returns a promise only if it must ask a key service.
 */
export function groupOf(data: EtcdData, changes: RevisionChanges): MaybePromise<SharedGroup | undefined> {
  const { revision, head } = changes;
  const { size, writer, last } = decodeHead(head);
  const decrypt = (change: ObjectChange): MaybePromise<ObjectChange> => {
    const { key, value } = change;
    return value ? thenSync(unlockAt(data, key, value, revision), (unlocked) => ({ key, ...unlocked })) : change;
  };
  const lastStates = mapSync([...last], ([key, value]) => decrypt({ key, value }));
  return thenSync(mapSync(changes.objects, decrypt), (objects) =>
    thenSync(lastStates, (states) => {
      const positions = positionsOf(objects);
      if (!positions || (positions.at(-1) ?? 0) >= size) return undefined;
      const lastOf = new Map(states.map((state) => [state.key, state]));
      return {
        number: data.numbering.toStore(revision),
        revision: data.numbering.toStore(revision, size - 1),
        changes: objects.map((change, index): SharedChange => {
          const { value: last, locked } = lastOf.get(change.key) ?? {};
          const at = data.numbering.toStore(revision, positions[index]);
          return { ...change, revision: at, last: locked === undefined ? last : undefined };
        }),
        writer,
      };
    }),
  );
}

/**
 * Returns the positions of a transaction's changes, in its order. An object stores the position of its new state. A
 * deletion, or a state that cannot be decrypted, takes the position after the previous change. Returns undefined if the
 * positions do not ascend: then another program made the changes.
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
