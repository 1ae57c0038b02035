/** Opens the source and target stores of a transfer. */
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { partsOf } from '../../client/create-client.js';
import type { ClientOptions } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { openRequest } from '../../client/requests.js';
import type { AttributeReader } from '../../runtime/contract/index.js';
import { snapshotPath } from '../../runtime/server/index.js';
import { DamagedStoreError, type Encryption, LockedStoreError } from '../../runtime/storage/index.js';
import { OptionError } from '../option-error.js';
import { type OpenedEncryption, openEncryption } from '../parts/open-encryption.js';
import { openStorage } from '../parts/open-storage.js';
import type { Opening, Storage } from '../parts/storage-options.js';
import { placeInPostgres, withoutPassword } from '../text/postgres.js';
import { type NamedStorage, readStorage } from '../text/storage.js';

/** Thrown if a flag is invalid, or does not fit. The message names the flag. */
export class FlagError extends Error {}

/** Thrown if the target has objects, and no flag allows their removal. */
export class NotEmptyError extends Error {}

/** Returns no attributes, because selectors are not used here. */
const noAttributes: AttributeReader = () => ({ labels: {}, fields: {} });

/** Opens the encryption that a flag names, and closes it after `use`. Rejects with a `FlagError`, or as `use` does. */
export async function withEncryption<T>(
  configFile: string | undefined,
  use: (encryption: Encryption | undefined) => Promise<T>,
): Promise<T> {
  if (configFile === undefined) return use(undefined);
  let opened: OpenedEncryption;
  try {
    opened = await openEncryption({ configFile });
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new FlagError(error.describe(() => '--encryption-provider-config'));
  }
  try {
    return await use(opened.encryption);
  } finally {
    opened.close();
  }
}

/** Storage that outlasts its server. */
type LastingStorage = Exclude<NamedStorage, 'memory'>;

/** Parses a flag that names a store. Throws a `FlagError`. */
export function readStore(flag: string, text: string): LastingStorage {
  const read = readStorage(text);
  if (!read.ok) throw new FlagError(`${flag} ${withoutPassword(text)}: ${read.failure.message}`);
  const { value } = read;
  if (value === 'memory') {
    throw new FlagError(`${flag} memory: memory ends with its server, and is of no use here`);
  }
  // Only servers compact.
  if ('etcd' in value) return { etcd: { ...value.etcd, compaction: false } };
  return 'postgres' in value ? { postgres: { ...value.postgres, compaction: false } } : value;
}

/** Opens the source. Rejects if the store does not exist, instead of creating one. */
export async function openSource(
  flag: string,
  text: string,
  onDamage: 'refuse' | 'serve-rest' = 'refuse',
  encryption?: Encryption,
): Promise<Storage> {
  return openWhatIsThere(flag, text, { onDamage, encryption, readAttributes: noAttributes, readOnly: true });
}

/** Opens the store of `--storage` to change its objects. A server that serves them needs their attributes. */
export async function openExisting(
  text: string,
  encryption: Encryption | undefined,
  readAttributes: AttributeReader = noAttributes,
): Promise<Storage> {
  return openWhatIsThere('--storage', text, { onDamage: 'refuse', encryption, readAttributes });
}

async function openWhatIsThere(flag: string, text: string, opening: Opening): Promise<Storage> {
  const option = readStore(flag, text);
  if ('lmdb' in option && !existsSync(option.lmdb)) throw new FlagError(`${flag} ${text}: ${NOTHING}`);
  const storage = await openStorage(option, opening);
  if (storage.store.count('') > 0 || storage.damage.length > 0) return storage;
  await storage.store.close();
  throw new FlagError(`${flag} ${withoutPassword(text)}: ${NOTHING}`);
}

const NOTHING = 'nothing is stored there; name the store that the server uses';

/** Opens the target. Rejects with a `NotEmptyError` if it has objects, or damaged ones, that must stay. */
export async function openTarget(
  flag: string,
  text: string,
  replace: boolean,
  encryption?: Encryption,
): Promise<Storage> {
  const option = readStore(flag, text);
  // Opening to write converts data of an earlier format. Other servers may still use this format.
  if ('etcd' in option && !replace) await (await openEmpty(flag, text, option, { readOnly: true })).store.close();
  return replace
    ? openStorage(option, { onDamage: 'replace', encryption, readAttributes: noAttributes })
    : openEmpty(flag, text, option, { encryption });
}

async function openEmpty(
  flag: string,
  text: string,
  option: LastingStorage,
  more: Pick<Opening, 'encryption' | 'readOnly'>,
): Promise<Storage> {
  const opening = openStorage(option, { onDamage: 'refuse', readAttributes: noAttributes, ...more });
  const storage = await opening.catch((error) => {
    if (!(error instanceof DamagedStoreError || error instanceof LockedStoreError)) throw error;
    throw new NotEmptyError(`${flag} ${withoutPassword(text)}: ${error.message}\nTo replace all of it, add --replace.`);
  });
  const objects = storage.store.count('');
  if (objects === 0) return storage;
  await storage.store.close();
  const name = `${flag} ${withoutPassword(text)}`;
  throw new NotEmptyError(`${name} has ${objects} objects; name another store, or remove them with --replace`);
}

/** Reports whether two flags name the same store, as far as this is known before opening. */
export function isSame(one: LastingStorage, other: LastingStorage): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf(option: LastingStorage): string {
  if ('lmdb' in option) return `lmdb:${realPath(option.lmdb)}`;
  if ('etcd' in option) return JSON.stringify([option.etcd.endpoints, option.etcd.prefix]);
  if ('postgres' in option) return placeInPostgres(option.postgres);
  return JSON.stringify(option);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** The flags that name the server. */
export interface RunningServerFlags {
  /** The server's URL, for a server without authentication. */
  readonly server?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Throws if the kubeconfig cannot be used. */
export function connectionTo({ server, kubeconfig, context }: RunningServerFlags): ClientOptions {
  if (server !== undefined) return { baseUrl: server };
  return {
    kubeconfig: loadKubeconfig({
      ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
      ...(context === undefined ? {} : { context }),
    }),
  };
}

/** Returns the server's URL. */
export const nameOfServer = ({ baseUrl, kubeconfig }: ClientOptions): string => baseUrl ?? kubeconfig?.baseUrl ?? '';

/** Yields the pieces of a snapshot that the server takes. Rejects if the server refuses. */
export async function* takeSnapshot(connection: ClientOptions): AsyncGenerator<Uint8Array> {
  const response = await openRequest(partsOf(connection), { method: 'GET', path: snapshotPath });
  yield* response.chunks();
}
