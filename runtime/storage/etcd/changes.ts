/** Takes etcd's events apart into changes of the store, one for each revision. */
import type { Key, Revision } from '../../contract/index.js';
import type { Layout } from './layout.js';
import { DELETED, type EtcdEvent } from './messages.js';

/** A change of one object. */
export interface ObjectChange {
  readonly key: Key;
  /** The new state; absent for a deletion. */
  readonly value?: Buffer;
}

/** All that happened under the prefix at one revision. */
export interface RevisionChanges {
  readonly revision: Revision;
  readonly objects: readonly ObjectChange[];
  /** The last state for watchers of a deletion, where it is not the stored one. */
  readonly last?: Buffer;
  /** Whether a restore has begun or ended. */
  readonly restored: boolean;
}

const NOTHING = Buffer.alloc(0);

/** Groups events, which come in the order of their revisions and with all of a revision together. */
export function* changesOf(events: readonly EtcdEvent[], layout: Layout): Generator<RevisionChanges> {
  let revision: Revision = 0;
  let objects: ObjectChange[] = [];
  let last: Buffer | undefined;
  let restored = false;
  for (const { type, kv = {} } of events) {
    const { key: place = NOTHING, modRevision = 0, value = NOTHING } = kv;
    if (modRevision !== revision) {
      if (revision > 0) yield { revision, objects, last, restored };
      revision = modRevision;
      objects = [];
      last = undefined;
      restored = false;
    }
    restored ||= layout.isRestore(place);
    const key = layout.keyOf(place);
    if (key !== undefined) objects.push(type === DELETED ? { key } : { key, value });
    else if (layout.isHead(place) && value.length > 0) last = value;
  }
  if (revision > 0) yield { revision, objects, last, restored };
}
