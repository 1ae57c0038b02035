/** Opens the store that the options name. */
import { readFileSync } from 'node:fs';
import type { Backend, StorageObserver } from '../../runtime/contract/index.js';
import {
  DamagedStoreError,
  DataInUseError,
  type EmbeddedStore,
  lmdbBackend,
  memoryBackend,
  openStore,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';
import { explaining } from '../explain.js';
import { OptionError } from '../option-error.js';
import { withPackages } from '../optional-packages.js';
import type { Opening, Storage } from './opening.js';
import type { EtcdOption, StorageOption, UnstorageOption } from './storage-option.js';

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

/** Rejects with an `OptionError` that does not repeat the driver's options, as they may hold passwords. */
async function openUnstorage(
  { driver: name, options = {}, files = {} }: UnstorageOption,
  { history, observer, ...opening }: Opening,
): Promise<{ readonly store: EmbeddedStore; readonly place: string }> {
  const place = `unstorage:${name}`;
  try {
    const fromFiles = Object.entries(files).map(([option, path]) => [option, readLine(path)] as const);
    const { openDriver, unstorageBackend } = await import('../../runtime/storage/unstorage/index.js');
    const part = { option: 'storage', value: place, packages: ['db0'] } as const;
    const open = () => openDriver(name, { ...options, ...Object.fromEntries(fromFiles) });
    const { driver, release } = await withPackages(part, open);
    const backend = unstorageBackend(driver, { place: `the data of ${place}`, release });
    return { store: await openStore({ backend: observedBackend(backend, observer), ...opening, ...history }), place };
  } catch (error) {
    if (saysWhatToDo(error)) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${nameOf('storage')} ${place}: ${problem}`, { cause: error });
  }
}

const saysWhatToDo = (error: unknown): boolean =>
  error instanceof OptionError ||
  error instanceof DamagedStoreError ||
  error instanceof DataInUseError ||
  error instanceof UnfinishedRestoreError;

const packages = ['@grpc/grpc-js', 'protobufjs'];

async function openEtcd(
  option: EtcdOption,
  { onDamage, readAttributes, readOnly, history, maxObjectBytes, observer, onLoading, onWatchError }: Opening,
): Promise<Storage> {
  const { endpoints, prefix = '/kindforge/', user, passwordFile, ca, cert, key, compaction = true } = option;
  const read = (path: string | undefined): Buffer | undefined => (path === undefined ? undefined : readFileSync(path));
  const part = { option: 'storage', value: `etcd:${endpoints.join(',')}`, packages } as const;
  const { openEtcdStore } = await withPackages(part, () => import('../../runtime/storage/etcd/index.js'));
  const store = await openEtcdStore({
    endpoints,
    prefix,
    user,
    password: passwordFile === undefined ? undefined : readLine(passwordFile),
    tls: ca === undefined && cert === undefined ? undefined : { ca: read(ca), cert: read(cert), key: read(key) },
    compaction,
    readAttributes,
    readOnly,
    ...history,
    maxObjectBytes,
    observer,
    onLoading,
    onWatchError,
    // There is no way to remove it for good at one stroke: other servers may be at work on the same.
    onDamage: onDamage === 'discard' ? 'refuse' : onDamage,
  });
  return {
    store,
    place: `etcd at ${endpoints.join(', ')}, under ${prefix}`,
    // Clients of other servers may count on the history, so it is not this server's to forget.
    forgetHistory: () => {},
    damage: store.damage,
  };
}

/** The text of the file; a line end at its end does not count. */
const readLine = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');

/** The backend itself where nobody is told. */
function observedBackend(backend: Backend, observer: StorageObserver | undefined): Backend {
  if (!observer) return backend;
  return {
    name: backend.name,
    durability: backend.durability,
    open: (options) => backend.open(options),
    async commit(records, checkpoint, forget, options) {
      const began = performance.now();
      await backend.commit(records, checkpoint, forget, options);
      observer.committed(records.length, (performance.now() - began) / 1000);
    },
    health: () => backend.health?.() ?? '',
    close: () => backend.close(),
  };
}
