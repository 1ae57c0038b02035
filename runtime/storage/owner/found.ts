/** Makes records for workers from the content of the store. */
import type { Damage, Entry, Key, SharedRecord } from '../../contract/index.js';
import type { EmbeddedStore } from '../open-store.js';

/** Returns the present record of a key, readable or not; `undefined` if the key has none. */
export function foundAt(store: EmbeddedStore, key: Key): SharedRecord | undefined {
  const entry = store.get(key);
  if (entry) return recordOf(entry);
  const [damage] = store.unreadable(key);
  return damage && lockedOf(damage);
}

export const recordOf = ({ key, revision, bytes }: Entry): SharedRecord => ({ key, revision, value: bufferOf(bytes) });

/** Returns the record of an object that cannot be read; `undefined` if its revision is unknown. */
export const lockedOf = ({ key, revision, problem }: Damage): SharedRecord | undefined =>
  revision === undefined ? undefined : { key, revision, value: NOTHING, locked: problem };

export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const NOTHING = Buffer.alloc(0);
