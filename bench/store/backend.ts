/** The backend that a measurement is made on. */
import type { Backend } from '../../runtime/contract/index.js';
import { lmdbBackend, memoryBackend } from '../../runtime/storage/index.js';
import { openDriver, unstorageBackend } from '../../runtime/storage/unstorage/index.js';
import { readUnstorage } from '../../server/text/unstorage.js';

/** `storage` is said as to `kindforge serve`, with `{folder}` in the folder's place. */
export async function backendOf(storage: string, folder: string): Promise<Backend> {
  const [kind = '', ...rest] = storage.replace('{folder}', folder).split(':');
  if (kind === 'memory') return memoryBackend();
  if (kind === 'lmdb') return lmdbBackend(rest.join(':'));
  const setting = readUnstorage(rest.join(':'));
  if (kind !== 'unstorage' || !setting.ok) throw new Error(`${storage} is no storage that can be measured`);
  const { driver, release } = await openDriver(setting.value.driver, setting.value.options ?? {});
  return unstorageBackend(driver, { release });
}
