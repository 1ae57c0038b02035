/** Backends by name, for tests that kill processes. The test and the process open the same data. */
import type { Backend } from '../../runtime/contract/index.js';
import { lmdbBackend } from '../../runtime/storage/index.js';
import { type DriverOptions, openDriver, unstorageBackend } from '../../runtime/storage/unstorage/index.js';

/** A small value, so that the store cleans the journal all the time. */
const slackBytes = 50_000;

/** Opens the backend of a kind; `place` is a folder, or the address of a server. */
export async function crashBackend(kind: string, place: string): Promise<Backend> {
  if (kind === 'lmdb') return lmdbBackend(place, { slackBytes });
  const { driver, release } = await openDriver(kind, driverOptions(kind, place));
  return unstorageBackend(driver, { slackBytes, release });
}

function driverOptions(kind: string, place: string): DriverOptions {
  if (kind === 'redis') return { url: place };
  return kind === 'db0' ? { connector: 'libsql-node', url: `file:${place}.db` } : { base: place };
}
