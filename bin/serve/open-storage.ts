/** Opens the store that the flags name. */
import { readFileSync } from 'node:fs';
import type { AttributeReader, Store } from '../../runtime/contract/index.js';
import {
  DamagedStoreError,
  DataInUseError,
  type EmbeddedStore,
  lmdbBackend,
  memoryBackend,
  openStore,
} from '../../runtime/storage/index.js';
import type { EtcdSetting } from './etcd-setting.js';
import { explaining } from './explain.js';
import type { DamageSetting, StorageSetting } from './settings.js';
import type { UnstorageSetting } from './unstorage-setting.js';

/** An open store, and how to speak of it. */
export interface Storage {
  readonly store: Store;
  /** Where the data lies, for people. */
  readonly place: string;
  /** Lets history begin now. */
  readonly forgetHistory: () => void;
}

/** Rejects with a message that says what to do when the data is in use, or damaged and not to be opened then. */
export async function openStorage(
  setting: StorageSetting,
  onDamage: DamageSetting,
  readAttributes: AttributeReader,
): Promise<Storage> {
  if (setting.backend === 'memory') {
    const store = await openStore({ backend: memoryBackend(), readAttributes });
    return { store, place: 'memory; gone when the server stops', forgetHistory: () => store.forgetHistory() };
  }
  if (setting.backend === 'etcd') return openEtcd(setting, readAttributes);
  if (setting.backend === 'unstorage') return openUnstorage(setting, onDamage, readAttributes);
  const store = await explaining(
    () => openStore({ backend: lmdbBackend(setting.folder), readAttributes, onDamage }),
    ({ message }) => `--storage lmdb:${setting.folder}: ${message}`,
  );
  return embedded(store, setting.folder);
}

/** Prints what is not served. */
function embedded(store: EmbeddedStore, place: string): Storage {
  for (const { key, problem } of store.damage) {
    console.error(`kindforge: not served: ${key === '' ? '(key unknown)' : key}: ${problem}`);
  }
  return { store, place, forgetHistory: () => store.forgetHistory() };
}

async function openUnstorage(
  { driver: name, options, files }: UnstorageSetting,
  onDamage: DamageSetting,
  readAttributes: AttributeReader,
): Promise<Storage> {
  // Options stay out of what is said: they may hold passwords.
  const place = `unstorage:${name}`;
  try {
    const fromFiles = [...files].map(([option, path]) => [option, readLine(path)] as const);
    const { openDriver, unstorageBackend } = await import('../../runtime/storage/unstorage/index.js');
    const { driver, release } = await openDriver(name, Object.fromEntries([...options, ...fromFiles]));
    const backend = unstorageBackend(driver, { place: `the data of ${place}`, release });
    return embedded(await openStore({ backend, readAttributes, onDamage }), place);
  } catch (error) {
    if (error instanceof DamagedStoreError || error instanceof DataInUseError) throw error;
    throw new Error(`--storage ${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** What a file holds; a line end at its end does not count. */
const readLine = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');

async function openEtcd(setting: EtcdSetting, readAttributes: AttributeReader): Promise<Storage> {
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
  });
  // Other servers' clients may count on the history, so it is not this one's to forget.
  return { store, place: `etcd at ${endpoints.join(', ')}, under ${prefix}`, forgetHistory: () => {} };
}
