/** Opens the store that the options name. */
import { readFileSync } from 'node:fs';
import type {
  AttributeReader,
  Backend,
  Damage,
  OnLoading,
  StorageObserver,
  Store,
} from '../../runtime/contract/index.js';
import type { Strangers } from '../../runtime/server/index.js';
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
import { OptionError, withPackages } from '../option-error.js';
import { UnknownVersionError } from './errors.js';

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

/** An open store, and how to speak of it. */
export interface Storage {
  readonly store: Store;
  /** Where the data lies, for people. */
  readonly place: string;
  /** Lets history begin now. */
  readonly forgetHistory: () => void;
  /** Damage that was found; it is left out of the store. */
  readonly damage: readonly Damage[];
}

/** How a store is opened. */
export interface Opening {
  /** `replace` opens whatever is there, in order to restore over it. */
  readonly onDamage: DamageOption | 'replace';
  readonly readAttributes: AttributeReader;
  /** Whether a store that others share is only looked at: data of an earlier format stays what it is. */
  readonly readOnly?: boolean;
  /** As the stores have it where absent. */
  readonly history?: HistoryOption;
  /** A clock in milliseconds that never goes back, for embedded stores; the machine's where absent. */
  readonly now?: (() => number) | undefined;
  /** Bytes of the largest object; as the stores have it where absent. */
  readonly maxObjectBytes?: number;
  /** Told of what the sinks of watches throw; it is printed where absent. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
  /** Told how far it is; nobody is where absent. */
  readonly onLoading?: OnLoading;
  /** Told of what storage does; nobody is where absent. */
  readonly observer?: StorageObserver;
}

// Refuses data of a later release: objects in versions that no definition has would lose what nobody knows of.

/** Throws an `UnknownVersionError` where there are such objects. `place` says where the data lies. */
export function refuseStrangers(strangers: readonly Strangers[], place: string): void {
  const [first, ...others] = strangers.map(
    ({ resource, version, objects }) =>
      `${objects} ${objects === 1 ? 'object' : 'objects'} of ${resource} in ${version}`,
  );
  if (first === undefined) return;
  const all = [first, ...others].join(', ');
  throw new UnknownVersionError(
    `${place}: stored there are ${all}, which the definitions do not have; ` +
      'start the release that wrote them, or add the version to the definition (`served: false` is enough)',
  );
}

/** A store: in memory, in a folder of this machine, over a driver of unstorage, in etcd, or over a backend of one's own. */
export type StorageOption =
  | 'memory'
  | { readonly lmdb: string }
  | { readonly unstorage: UnstorageOption }
  | { readonly etcd: EtcdOption }
  | { readonly backend: Backend };

/** The value of an option of a driver. */
export type DriverOption = string | number | boolean;

/** A driver of unstorage. Files are read when the store is opened. */
export interface UnstorageOption {
  /** Its name, as in `redis`. */
  readonly driver: string;
  readonly options?: Readonly<Record<string, DriverOption>>;
  /** Files whose text is the value of an option, by option; for passwords. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Where etcd is, and how to speak to it. Files are read when the store is opened. */
export interface EtcdOption {
  /** As in `127.0.0.1:2379`. */
  readonly endpoints: readonly string[];
  /** Keys begin with it. Default: `/kindforge/`. */
  readonly prefix?: string;
  /** Goes with `passwordFile`. */
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  /** File with the certificate of etcd's authority, in PEM. */
  readonly ca?: string | undefined;
  /** Files with a certificate of the client and its key, in PEM; they go together. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Whether this server removes what is too old for etcd's history. Default: true. */
  readonly compaction?: boolean;
}

/** The bounds of the history; the one that is reached first counts. */
export interface HistoryOption {
  readonly historyWindowMs?: number;
  readonly historyMaxBytes?: number;
}

/** Whether a server with damaged data does not start, serves the rest, or removes the damaged for good. */
export type DamageOption = 'refuse' | 'serve-rest' | 'discard';
