/** Opens the store that the flags name. */
import type { AttributeReader, Store } from '../../runtime/contract/index.js';
import { lmdbBackend } from '../../runtime/storage/backends/lmdb.js';
import { memoryBackend } from '../../runtime/storage/backends/memory.js';
import { openStore } from '../../runtime/storage/index.js';
import type { StorageSetting } from './settings.js';

/** An open store, and how to speak of it. */
export interface Storage {
  readonly store: Store;
  /** Where the data lies, for people. */
  readonly place: string;
}

/** Rejects with a message that says what to do when the data is in use or damaged. */
export async function openStorage(setting: StorageSetting, readAttributes: AttributeReader): Promise<Storage> {
  if (setting.backend === 'memory') {
    return {
      store: await openStore({ backend: memoryBackend(), readAttributes }),
      place: 'memory; gone when the server stops',
    };
  }
  const backend = lmdbBackend({ folder: setting.folder });
  return { store: await openStore({ backend, readAttributes }), place: setting.folder };
}
