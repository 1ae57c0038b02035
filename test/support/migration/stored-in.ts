/** Reads the versions that tools are stored in from the data itself. */
import { openSource } from '../../../server/maintenance/open-stores.js';
import { toolsPrefix } from './tools.js';

/** Lists the names of versions, such as `v2`. Meanwhile, a server may have the store open only if it is in etcd. */
export async function storedIn(storage: string): Promise<readonly string[]> {
  const { store } = await openSource('--storage', storage);
  try {
    const listed = store.list(toolsPrefix, {});
    if (typeof listed === 'string') throw new Error(listed);
    const versions = listed.entries.map(({ bytes }): string => {
      const { apiVersion } = JSON.parse(Buffer.from(bytes).toString());
      return String(apiVersion).replace('example.com/', '');
    });
    return [...new Set(versions)];
  } finally {
    await store.close();
  }
}
