/** Opens the store that the options name. */
import type { Backend, StorageObserver } from '../../runtime/contract/index.js';
import type { Strangers } from '../../runtime/server/index.js';
import {
  DamagedStoreError,
  DataInUseError,
  type EmbeddedStore,
  LockedStoreError,
  lmdbBackend,
  lmdbBytes,
  memoryBackend,
  openStore,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';
import { explaining } from '../explain.js';
import { OptionError, withPackages } from '../option-error.js';
import { UnknownVersionError } from './errors.js';
import { openEtcd, openPostgres, readLine } from './open-shared.js';
import type { Opening, Storage, StorageOption, UnstorageOption } from './storage-options.js';

/**
 * Opens a store. If the data is in use or damaged, rejects with an error that names the cure. If the store cannot be
 * reached, rejects with an `OptionError`.
 */
export async function openStorage(option: StorageOption | OwnerOption, opening: Opening): Promise<Storage> {
  const { history, observer, readOnly, onNotice, ...options } = opening;
  if (option === 'memory') {
    const store = await openStore({ backend: observedBackend(memoryBackend(), observer), ...options, ...history });
    return embedded(store, 'memory; gone when the server stops');
  }
  if ('owner' in option) return openOwners(option.owner, opening);
  if ('etcd' in option) return openEtcd(option.etcd, opening);
  if ('postgres' in option) return openPostgres(option.postgres, opening);
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
  return { ...embedded(store, option.lmdb), bytes: () => lmdbBytes(option.lmdb) };
}

function embedded(store: EmbeddedStore, place: string): Storage {
  return { store, place, forgetHistory: () => store.forgetHistory(), damage: store.damage, embedded: store };
}

/**
 * Opens a store over a driver. Rejects with an `OptionError` without the driver's options, because they may contain
 * passwords.
 */
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
  error instanceof LockedStoreError ||
  error instanceof UnfinishedRestoreError;

/** The store of another process of this server. */
export interface OwnerOption {
  /** The path of its socket for the store. */
  readonly owner: string;
}

async function openOwners(path: string, { history, observer, onDamage, ...opening }: Opening): Promise<Storage> {
  const { openWorkerStore } = await import('../../runtime/storage/owner/open-worker-store.js');
  const store = await openWorkerStore(path, { ...opening, ...history, onDamage: 'serve-rest' });
  return { store, place: 'the process that owns the data', forgetHistory: () => {}, damage: [] };
}

/** Returns a backend that reports to the observer, or the backend itself without an observer. */
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
    replaceSecret: async (secret) => backend.replaceSecret?.(secret),
    health: () => backend.health?.() ?? '',
    close: () => backend.close(),
  };
}

// Refuses data of a later release: objects in unknown versions would lose their unknown fields. Refuses objects of
// another scope, too: clients would list them, but could not name them.

/** Throws an `UnknownVersionError` if there are such objects. `place` is the location of the data. */
export function refuseStrangers(strangers: readonly Strangers[], place: string): void {
  const refusals = [
    refusalOf(
      strangers.flatMap((one) => (one.scope ? [] : [`${countOf(one)} in ${one.version}`])),
      'start the release that wrote them, or add the version to the definition (`served: false` is enough)',
    ),
    refusalOf(
      strangers.flatMap((one) => (one.scope ? [`${countOf(one)} with scope ${one.scope}`] : [])),
      'give the definition this scope again, or delete them with the definition that they have',
    ),
  ].filter((refusal) => refusal !== undefined);
  if (refusals.length > 0) throw new UnknownVersionError(`${place}: ${refusals.join('; ')}`);
}

const countOf = ({ objects, resource }: Strangers): string =>
  `${objects} ${objects === 1 ? 'object' : 'objects'} of ${resource}`;

const refusalOf = (found: readonly string[], cure: string): string | undefined =>
  found.length === 0 ? undefined : `stored there are ${found.join(', ')}, which the definitions do not have; ${cure}`;
