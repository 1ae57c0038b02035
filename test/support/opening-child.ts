/** A process that opens stores on LMDB one after the other. It reports their content, or why they do not open. */
import { createHash } from 'node:crypto';
import { DamagedFileError, DamagedStoreError, lmdbBackend, openStore } from '../../runtime/storage/index.js';
import { readAttributes } from './store-objects.js';

/** The reason that a store did not open. */
export interface Refused {
  readonly refused: string;
  readonly isDamage: boolean;
}

/** A checksum of all that an open store holds. */
export interface Held {
  readonly held: string;
  readonly secret: string;
}

export async function openAndTell(directory: string): Promise<Refused | Held> {
  try {
    const store = await openStore({ backend: lmdbBackend(directory), readAttributes });
    const listed = store.list('');
    if (typeof listed === 'string') throw new Error(listed);
    const sum = createHash('sha256').update(String(listed.revision));
    for (const { key, bytes } of listed.entries) sum.update(key).update(bytes);
    const secret = Buffer.from(store.secret ?? []).toString('hex');
    // A write over unseen damage would make the damage worse.
    await store.commit({ key: 'g/things/new', expected: 0, next: NEW });
    await store.close();
    return { held: sum.digest('hex'), secret };
  } catch (error) {
    const isDamage = error instanceof DamagedStoreError || error instanceof DamagedFileError;
    return { refused: error instanceof Error ? error.message : String(error), isDamage };
  }
}

const head = '{"kind":"Thing","apiVersion":"v1","metadata":{"resourceVersion":"';
const NEW = { text: `${head}"}}`, revisionAt: head.length, attributes: { labels: {}, fields: {} } };

if (process.send) {
  // If a test imports this file, the test runner sends messages too, and these do not name folders.
  process.on('message', async (message) => {
    if (typeof message === 'string') process.send?.(await openAndTell(message));
  });
  process.send('ready');
}
