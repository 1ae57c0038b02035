/** Opens the store that the flags name. */
import { readFileSync } from 'node:fs';
import type { AttributeReader, Damage, Store } from '../../runtime/contract/index.js';
import {
  DamagedStoreError,
  DataInUseError,
  type EmbeddedStore,
  lmdbBackend,
  memoryBackend,
  openStore,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';
import type { EtcdSetting } from './etcd-setting.js';
import { explaining } from './explain.js';
import type { HistorySetting } from './history-setting.js';
import type { DamageSetting, StorageSetting } from './settings.js';
import type { UnstorageSetting } from './unstorage-setting.js';

/** An open store, and how to speak of it. */
export interface Storage {
  readonly store: Store;
  /** Where the data lies, for people. */
  readonly place: string;
  /** Lets history begin now. */
  readonly forgetHistory: () => void;
  /** What was found damaged, and is left out. */
  readonly damage: readonly Damage[];
}

/** How a store is opened. */
export interface Opening {
  /** `replace` opens whatever is there, in order to restore over it. */
  readonly onDamage: DamageSetting | 'replace';
  readonly readAttributes: AttributeReader;
  /** As the stores have it where absent. */
  readonly history?: HistorySetting;
}

/** Rejects with a message that says what to do when the data is in use, or damaged and not to be opened then. */
export async function openStorage(setting: StorageSetting, opening: Opening): Promise<Storage> {
  const { history, ...options } = opening;
  if (setting.backend === 'memory') {
    const store = await openStore({ backend: memoryBackend(), ...options, ...history });
    return {
      store,
      place: 'memory; gone when the server stops',
      forgetHistory: () => store.forgetHistory(),
      damage: [],
    };
  }
  if (setting.backend === 'etcd') return openEtcd(setting, opening);
  if (setting.backend === 'unstorage') return openUnstorage(setting, opening);
  const store = await explaining(
    () => openStore({ backend: lmdbBackend(setting.folder), ...options, ...history }),
    ({ message }) => `--storage lmdb:${setting.folder}: ${message}`,
  );
  return embedded(store, setting.folder);
}

function embedded(store: EmbeddedStore, place: string): Storage {
  return { store, place, forgetHistory: () => store.forgetHistory(), damage: store.damage };
}

async function openUnstorage(
  { driver: name, options, files }: UnstorageSetting,
  { history, ...opening }: Opening,
): Promise<Storage> {
  // Options stay out of what is said: they may hold passwords.
  const place = `unstorage:${name}`;
  try {
    const fromFiles = [...files].map(([option, path]) => [option, readLine(path)] as const);
    const { openDriver, unstorageBackend } = await import('../../runtime/storage/unstorage/index.js');
    const { driver, release } = await openDriver(name, Object.fromEntries([...options, ...fromFiles]));
    const backend = unstorageBackend(driver, { place: `the data of ${place}`, release });
    return embedded(await openStore({ backend, ...opening, ...history }), place);
  } catch (error) {
    if (isTold(error)) throw error;
    throw new Error(`--storage ${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Whether an error says by itself what to do about the data. */
const isTold = (error: unknown): boolean =>
  error instanceof DamagedStoreError || error instanceof DataInUseError || error instanceof UnfinishedRestoreError;

/** What a file holds; a line end at its end does not count. */
const readLine = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');

async function openEtcd(setting: EtcdSetting, { onDamage, readAttributes, history }: Opening): Promise<Storage> {
  const { endpoints, prefix, user, passwordFile, ca, cert, key, compaction } = setting;
  const read = (path: string | undefined): Buffer | undefined => (path === undefined ? undefined : readFileSync(path));
  const { openEtcdStore } = await import('../../runtime/storage/etcd/index.js');
  const store = await openEtcdStore({
    endpoints,
    prefix,
    user,
    password: passwordFile === undefined ? undefined : readLine(passwordFile),
    tls: ca === undefined && cert === undefined ? undefined : { ca: read(ca), cert: read(cert), key: read(key) },
    compaction,
    readAttributes,
    ...history,
    // There is no way to remove it for good at one stroke: other servers may be at work on the same.
    onDamage: onDamage === 'discard' ? 'refuse' : onDamage,
  });
  // Other servers' clients may count on the history, so it is not this one's to forget.
  return {
    store,
    place: `etcd at ${endpoints.join(', ')}, under ${prefix}`,
    forgetHistory: () => {},
    damage: store.damage,
  };
}
