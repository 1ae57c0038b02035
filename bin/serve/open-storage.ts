/** Opens the store that the flags name. */
import { readFileSync } from 'node:fs';
import type { AttributeReader, Store } from '../../runtime/contract/index.js';
import { lmdbBackend, memoryBackend, openStore } from '../../runtime/storage/index.js';
import type { EtcdSetting } from './etcd-setting.js';
import { explaining } from './explain.js';
import type { HistorySetting } from './history-setting.js';
import type { DamageSetting, StorageSetting } from './settings.js';

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
  history: HistorySetting,
  readAttributes: AttributeReader,
): Promise<Storage> {
  if (setting.backend === 'memory') {
    const store = await openStore({ backend: memoryBackend(), readAttributes, ...history });
    return { store, place: 'memory; gone when the server stops', forgetHistory: () => store.forgetHistory() };
  }
  if (setting.backend === 'etcd') return openEtcd(setting, history, readAttributes);
  const store = await explaining(
    () => openStore({ backend: lmdbBackend(setting.folder), readAttributes, onDamage, ...history }),
    ({ message }) => `--storage lmdb:${setting.folder}: ${message}`,
  );
  for (const { key, problem } of store.damage) {
    console.error(`kindforge: not served: ${key === '' ? '(key unknown)' : key}: ${problem}`);
  }
  return { store, place: setting.folder, forgetHistory: () => store.forgetHistory() };
}

async function openEtcd(
  setting: EtcdSetting,
  history: HistorySetting,
  readAttributes: AttributeReader,
): Promise<Storage> {
  const { endpoints, prefix, user, passwordFile, ca, cert, key, compaction } = setting;
  const read = (path: string | undefined): Buffer | undefined => (path === undefined ? undefined : readFileSync(path));
  const { openEtcdStore } = await import('../../runtime/storage/etcd/index.js');
  const store = await openEtcdStore({
    endpoints,
    prefix,
    user,
    password: read(passwordFile)
      ?.toString()
      .replace(/\r?\n$/, ''),
    tls: ca === undefined && cert === undefined ? undefined : { ca: read(ca), cert: read(cert), key: read(key) },
    compaction,
    readAttributes,
    ...history,
  });
  // Other servers' clients may count on the history, so it is not this one's to forget.
  return { store, place: `etcd at ${endpoints.join(', ')}, under ${prefix}`, forgetHistory: () => {} };
}
