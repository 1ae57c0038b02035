/** Opens the stores that a transfer reads and writes. */
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { partsOf } from '../../client/create-client.js';
import type { ClientOptions } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { openRequest } from '../../client/requests.js';
import type { AttributeReader } from '../../runtime/contract/index.js';
import { snapshotPath } from '../../runtime/server/index.js';
import { DamagedStoreError } from '../../runtime/storage/index.js';
import { type Opening, openStorage, type Storage } from '../parts/open-storage.js';
import { type NamedStorage, readStorage } from '../text/storage.js';

/** A flag's value is wrong, or what it names does not fit; the message names the flag. */
export class FlagError extends Error {}

/** The target has objects, and nobody has said to remove them. */
export class NotEmptyError extends Error {}

/** Nothing is selected here. */
const noAttributes: AttributeReader = () => ({ labels: {}, fields: {} });

/** Storage that outlasts its server. */
type LastingStorage = Exclude<NamedStorage, 'memory'>;

/** Reads a flag that names a store. Throws a `FlagError`. */
export function readStore(flag: string, text: string): LastingStorage {
  const read = readStorage(text);
  if (!read.ok) throw new FlagError(`${flag} ${text}: ${read.failure.message}`);
  const { value } = read;
  if (value === 'memory') {
    throw new FlagError(`${flag} memory: memory ends with its server, and is of no use here`);
  }
  // Compacting is for servers.
  return 'etcd' in value ? { etcd: { ...value.etcd, compaction: false } } : value;
}

/** Opens what is to be read. Rejects where there is nothing, rather than make something. */
export async function openSource(
  flag: string,
  text: string,
  onDamage: 'refuse' | 'serve-rest' = 'refuse',
): Promise<Storage> {
  return openWhatIsThere(flag, text, { onDamage, readAttributes: noAttributes, readOnly: true });
}

/** The same for objects that are to be changed, with the attributes that serving them takes. */
export async function openExisting(
  flag: string,
  text: string,
  onDamage: 'refuse' | 'serve-rest',
  readAttributes: AttributeReader,
): Promise<Storage> {
  return openWhatIsThere(flag, text, { onDamage, readAttributes });
}

async function openWhatIsThere(flag: string, text: string, opening: Opening): Promise<Storage> {
  const option = readStore(flag, text);
  if ('lmdb' in option && !existsSync(option.lmdb)) throw new FlagError(`${flag} ${text}: ${NOTHING}`);
  const storage = await openStorage(option, opening);
  if (storage.store.count('') > 0 || storage.damage.length > 0) return storage;
  await storage.store.close();
  throw new FlagError(`${flag} ${text}: ${NOTHING}`);
}

const NOTHING = 'nothing is stored there; name the store that the server uses';

/** Opens what is to be written. Rejects with a `NotEmptyError` where it has objects, whole or not, that are not to go. */
export async function openTarget(flag: string, text: string, replace: boolean): Promise<Storage> {
  const option = readStore(flag, text);
  // Opening for good takes data of an earlier format over from the servers that are at work on it.
  if ('etcd' in option && !replace) await (await openEmpty(flag, text, option, true)).store.close();
  return replace
    ? openStorage(option, { onDamage: 'replace', readAttributes: noAttributes })
    : openEmpty(flag, text, option, false);
}

async function openEmpty(flag: string, text: string, option: LastingStorage, readOnly: boolean): Promise<Storage> {
  const opening = openStorage(option, { onDamage: 'refuse', readAttributes: noAttributes, readOnly });
  const storage = await opening.catch((error) => {
    if (!(error instanceof DamagedStoreError)) throw error;
    throw new NotEmptyError(`${flag} ${text}: ${error.message}\nTo replace all of it, add --replace.`);
  });
  const objects = storage.store.count('');
  if (objects === 0) return storage;
  await storage.store.close();
  throw new NotEmptyError(`${flag} ${text} has ${objects} objects; name another store, or remove them with --replace`);
}

/** Whether two flags name the same store, as far as can be told before they are opened. */
export function isSame(one: LastingStorage, other: LastingStorage): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf(option: LastingStorage): string {
  if ('lmdb' in option) return `lmdb:${realPath(option.lmdb)}`;
  if ('etcd' in option) return JSON.stringify([option.etcd.endpoints, option.etcd.prefix]);
  return JSON.stringify(option);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** The flags that name the server, as they were given. */
export interface RunningServerFlags {
  /** Its URL, where it asks for no credentials. */
  readonly server?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Throws where the kubeconfig cannot be used. */
export function connectionTo({ server, kubeconfig, context }: RunningServerFlags): ClientOptions {
  if (server !== undefined) return { baseUrl: server };
  return {
    kubeconfig: loadKubeconfig({
      ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
      ...(context === undefined ? {} : { context }),
    }),
  };
}

/** The server's URL. */
export const nameOfServer = ({ baseUrl, kubeconfig }: ClientOptions): string => baseUrl ?? kubeconfig?.baseUrl ?? '';

/** The pieces of a snapshot that the server makes. Rejects where it refuses to. */
export async function* takeSnapshot(connection: ClientOptions): AsyncGenerator<Uint8Array> {
  const response = await openRequest(partsOf(connection), { method: 'GET', path: snapshotPath });
  yield* response.chunks();
}
