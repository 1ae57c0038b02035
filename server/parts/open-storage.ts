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
  type Encryption,
  LockedStoreError,
  lmdbBackend,
  memoryBackend,
  openStore,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';
import { explaining } from '../explain.js';
import { OptionError, withPackages } from '../option-error.js';
import { UnknownVersionError } from './errors.js';

/**
 * Opens a store. Rejects with an error that names the cure if the data is in use or damaged, and with an `OptionError`
 * if the store cannot be reached.
 */
export async function openStorage(option: StorageOption, opening: Opening): Promise<Storage> {
  const { history, observer, readOnly, onNotice, ...options } = opening;
  if (option === 'memory') {
    const store = await openStore({ backend: observedBackend(memoryBackend(), observer), ...options, ...history });
    return embedded(store, 'memory; gone when the server stops');
  }
  if ('etcd' in option) return openEtcd(option.etcd, opening);
  if ('postgres' in option) return (await import('./open-postgres.js')).openPostgres(option.postgres, opening);
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

/**
 * Opens a store over a driver. Rejects with an `OptionError` that does not repeat the driver's options, which may
 * contain passwords.
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

const packages = ['@grpc/grpc-js', 'protobufjs'];

async function openEtcd(
  option: EtcdOption,
  {
    onDamage,
    encryption,
    readAttributes,
    readOnly,
    history,
    maxObjectBytes,
    observer,
    onLoading,
    onWatchError,
    onDamageFound,
  }: Opening,
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
    encryption,
    readAttributes,
    readOnly,
    ...history,
    maxObjectBytes,
    observer,
    onLoading,
    onWatchError,
    onDamageFound,
    // Damaged data cannot be removed atomically, because other servers may use the same data.
    onDamage: onDamage === 'discard' ? 'refuse' : onDamage,
  });
  return {
    store,
    place: `etcd at ${endpoints.join(', ')}, under ${prefix}`,
    // Clients of other servers may rely on the history, so this server must not forget it.
    forgetHistory: () => {},
    damage: store.damage,
  };
}

/** Returns the text of the file without a final line break. */
const readLine = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');

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

/** An open store and its description. */
export interface Storage {
  readonly store: Store;
  /** The location of the data, for messages. */
  readonly place: string;
  /** Discards earlier history. */
  readonly forgetHistory: () => void;
  /** The damage found; damaged objects are not in the store. */
  readonly damage: readonly Damage[];
}

export interface Opening {
  /** `replace` opens any data, to restore over it. */
  readonly onDamage: DamageOption | 'replace';
  readonly readAttributes: AttributeReader;
  /** Encrypts what is stored. Default: nothing is encrypted. */
  readonly encryption?: Encryption | undefined;
  /** Whether a shared store is only read: data of an earlier format is not converted. */
  readonly readOnly?: boolean;
  /** Default: the store's default. */
  readonly history?: HistoryOption;
  /** Returns milliseconds that never go back, for embedded stores. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
  /** Bytes of the largest object. Default: the store's default. */
  readonly maxObjectBytes?: number;
  /** Receives errors of watch sinks. Default: they are printed. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
  /** Receives damage that is found later, in storage that others write to. Default: none. */
  readonly onDamageFound?: (damage: Damage) => void;
  /** Receives the progress of opening. Default: none. */
  readonly onLoading?: OnLoading;
  /** Receives what operators should know about storage that works. Default: it is dropped. */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /** Receives measurements of storage. Default: none. */
  readonly observer?: StorageObserver;
}

// Refuses data of a later release, because objects in unknown versions would lose their unknown fields.

/** Throws an `UnknownVersionError` if there are such objects. `place` is the location of the data. */
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

/** A store: in memory, in a folder of this machine, over an unstorage driver, in etcd, in PostgreSQL, or over your own backend. */
export type StorageOption =
  | 'memory'
  | { readonly lmdb: string }
  | { readonly unstorage: UnstorageOption }
  | { readonly etcd: EtcdOption }
  | { readonly postgres: PostgresOption }
  | { readonly backend: Backend };

/** The value of a driver option. */
export type DriverOption = string | number | boolean;

/** An unstorage driver. Files are read when the store is opened. */
export interface UnstorageOption {
  /** Its name, as in `redis`. */
  readonly driver: string;
  readonly options?: Readonly<Record<string, DriverOption>>;
  /** Files that contain the value of an option, by option; for passwords. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The address of etcd and the credentials for it. Files are read when the store is opened. */
export interface EtcdOption {
  /** As in `127.0.0.1:2379`. */
  readonly endpoints: readonly string[];
  /** The prefix of all keys. Default: `/kindforge/`. */
  readonly prefix?: string;
  /** Requires `passwordFile`. */
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  /** File with the certificate of etcd's authority, in PEM. */
  readonly ca?: string | undefined;
  /** Files with a client certificate and its key, in PEM; set both or neither. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Whether this server compacts old history in etcd. Default: true. */
  readonly compaction?: boolean;
}

/** The database and the credentials for it. */
export interface PostgresOption {
  /**
   * A URL as libpq takes it, as in `postgres://user@host:5432/database`. What it leaves out comes from libpq's
   * environment, such as `PGPASSWORD`, and its password file.
   */
  readonly url: string;
  /** The schema of the tables. Default: the option `schema` of the URL, or `kindforge`. */
  readonly schema?: string | undefined;
  /** File with the password, read when the store is opened. Default: libpq's places. */
  readonly passwordFile?: string | undefined;
  /** Whether this server deletes old changes. Default: true. */
  readonly compaction?: boolean;
}

/** The limits of the history; the first one reached applies. */
export interface HistoryOption {
  readonly historyWindowMs?: number;
  readonly historyMaxBytes?: number;
}

/** Whether a server with damaged data refuses to start, serves the rest, or removes the damaged data for good. */
export type DamageOption = 'refuse' | 'serve-rest' | 'discard';
