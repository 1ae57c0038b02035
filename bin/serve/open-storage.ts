/** Opens the store that the flags name. */
import type { AttributeReader, Store } from '../../runtime/contract/index.js';
import { lmdbBackend, memoryBackend, openStore } from '../../runtime/storage/index.js';
import type { StorageSetting } from './settings.js';

/** An open store, and how to speak of it. */
export interface Storage {
  readonly store: Store;
  /** Where the data lies, for people. */
  readonly place: string;
  /** Lets history begin now. */
  readonly forgetHistory: () => void;
}

/** Rejects with a message that says what to do when the data is in use or damaged. */
export async function openStorage(setting: StorageSetting, readAttributes: AttributeReader): Promise<Storage> {
  if (setting.backend === 'memory') {
    const store = await openStore({ backend: memoryBackend(), readAttributes });
    return { store, place: 'memory; gone when the server stops', forgetHistory: () => store.forgetHistory() };
  }
  const store = await openStore({ backend: lmdbBackend(setting.folder), readAttributes });
  return { store, place: setting.folder, forgetHistory: () => store.forgetHistory() };
}
