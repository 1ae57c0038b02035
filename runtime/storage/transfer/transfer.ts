/** Copies the state of a store or of a snapshot into another store. */
import type { AttributeReader, RestoredObject, Revision, Store } from '../../contract/index.js';
import { Encryption } from '../encryption/encryption.js';
import { attributesOf } from '../memory/stored-entry.js';
import { DamagedStoreError, LockedStoreError } from '../open-store.js';
import { toEncodedObject } from '../stamp.js';
import { DamagedSnapshotError, openSnapshot, type SnapshotObject, type SnapshotSource } from './read-snapshot.js';
import { noProgress, type TransferProgress } from './snapshot-format.js';
import { type State, stateOf, verifySnapshot, verifyState } from './verify.js';

/**
 * The gap between the revisions of the source and of the restored state. The source may have had changes after the
 * snapshot, and its clients may remember their revisions. Such revisions must be older than the history here. Otherwise
 * the clients would not notice the changes that they miss.
 */
export const REVISION_GAP = 100_000_000_000;

export interface Transferred {
  readonly objects: number;
  /** The revision of the source's state. */
  readonly from: Revision;
  /** The revision of that state in the target. */
  readonly to: Revision;
}

export interface TransferOptions {
  /** Reads the selectable attributes of objects. Only needed if the target store will serve them. */
  readonly readAttributes?: AttributeReader;
  readonly progress?: TransferProgress;
  /** The secret of the source, for a target that takes its place. Without it, the target keeps its own. */
  readonly secret?: Uint8Array | undefined;
}

/** Returns the state of a store. Throws a `DamagedStoreError` if an object is not valid. */
export function soundState(store: Store, progress: TransferProgress = noProgress): State {
  const state = stateOf(store);
  const { damage } = verifyState(state, progress);
  if (damage.length > 0) throw new DamagedStoreError(damage);
  return state;
}

/** Replaces all data of a store by a state. Rejects as `Store.restore` does. */
export async function copyState(state: State, target: Store, options: TransferOptions = {}): Promise<Transferred> {
  const { revision: from, entries } = state;
  const to = await target.restore(encoded(entries, entries.length, options), from + REVISION_GAP, options.secret);
  return { objects: entries.length, from, to };
}

/** A checked snapshot file without damage. */
export interface SoundSnapshot {
  readonly path: string;
  readonly objects: number;
  readonly revision: Revision;
  /** Decrypts the snapshot. */
  readonly encryption?: Encryption | undefined;
}

/**
 * Checks a whole file. Rejects with a `LockedStoreError` if it has objects that cannot be decrypted, and with a
 * `DamagedSnapshotError` for any other damage.
 */
export async function soundSnapshot(
  path: string,
  progress: TransferProgress = noProgress,
  encryption: Encryption = new Encryption([]),
): Promise<SoundSnapshot> {
  const { damage, objects, revision } = await verifySnapshot(path, progress, encryption);
  const locked = damage.filter((found) => found.locked);
  if (locked.length > 0) throw new LockedStoreError(locked, path);
  if (damage.length > 0) throw new DamagedSnapshotError(path, damage);
  return { path, objects, revision, encryption };
}

/** Replaces all data of a store by a snapshot. Rejects as `Store.restore` does. */
export async function restoreSnapshot(
  { path, objects, revision: from, encryption }: SoundSnapshot,
  target: Store,
  options: TransferOptions = {},
): Promise<Transferred> {
  const source = await openSnapshot(path, { encryption });
  try {
    const to = await target.restore(encoded(whole(path, source), objects, options), from + REVISION_GAP);
    return { objects, from, to };
  } finally {
    await source.close();
  }
}

/** Yields the objects of a snapshot. The check found no damage, and there must still be none. */
async function* whole(path: string, { objects, damage }: SnapshotSource): AsyncGenerator<SnapshotObject> {
  yield* objects;
  if (damage.length > 0) throw new DamagedSnapshotError(path, damage);
}

async function* encoded(
  objects: Iterable<SnapshotObject> | AsyncIterable<SnapshotObject>,
  total: number,
  { readAttributes = nothing, progress = noProgress }: TransferOptions,
): AsyncGenerator<RestoredObject> {
  let done = 0;
  for await (const { key, bytes } of objects) {
    const attributes = attributesOf(key, bytes, readAttributes);
    const object = attributes && toEncodedObject(bytes, attributes);
    if (!object) throw new Error(`${key}: the stored bytes are not an object; verify the source`);
    yield { key, object };
    progress('restoring', ++done, total, key);
  }
}

const nothing: AttributeReader = () => ({ labels: {}, fields: {} });
