/** Opens the store that the options name. */
import { type EmbeddedStore, lmdbBackend, memoryBackend, openStore } from '../../runtime/storage/index.js';
import { explaining } from '../explain.js';
import { observedBackend } from './observed-backend.js';
import { openEtcd } from './open-etcd.js';
import { openUnstorage } from './open-unstorage.js';
import type { Opening, Storage } from './opening.js';
import type { StorageOption } from './storage-option.js';

/**
 * Opens a store. Rejects with an error that says what to do when the data is in use, when it is damaged and not to be opened
 * then, and with an `OptionError` when it cannot be reached.
 */
export async function openStorage(option: StorageOption, opening: Opening): Promise<Storage> {
  const { history, observer, readOnly, ...options } = opening;
  if (option === 'memory') {
    const store = await openStore({ backend: observedBackend(memoryBackend(), observer), ...options, ...history });
    return embedded(store, 'memory; gone when the server stops');
  }
  if ('etcd' in option) return openEtcd(option.etcd, opening);
  if ('unstorage' in option) {
    const { store, place } = await openUnstorage(option.unstorage, opening);
    return embedded(store, place);
  }
  if ('backend' in option) {
    return embedded(
      await openStore({ backend: observedBackend(option.backend, observer), ...options, ...history }),
      'a backend of its own',
    );
  }
  const store = await explaining(
    () => openStore({ backend: observedBackend(lmdbBackend(option.lmdb), observer), ...options, ...history }),
    ({ message }, nameOf) => `${nameOf('storage')} lmdb:${option.lmdb}: ${message}`,
  );
  return embedded(store, option.lmdb);
}

function embedded(store: EmbeddedStore, place: string): Storage {
  return { store, place, forgetHistory: () => store.forgetHistory(), damage: store.damage };
}
