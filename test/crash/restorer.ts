/**
 * A process that restores half of a store on LMDB, reports that, and waits for a kill. Started by `transfer.test.ts`.
 */
import type { RestoredObject } from '../../runtime/contract/index.js';
import { lmdbBackend, openStore } from '../../runtime/storage/index.js';
import { encoded, readAttributes } from '../support/store-objects.js';

const [directory = ''] = process.argv.slice(2);
const keepAlive = setInterval(() => {}, 1000);

async function* half(): AsyncGenerator<RestoredObject> {
  // More than one batch, so that some of it is on disk.
  for (let index = 0; index < 2_000; index++) {
    yield { key: `g/things/n/new-${String(index).padStart(4, '0')}`, object: encoded('new') };
  }
  process.send?.('half-way');
  await new Promise(() => {});
}

const store = await openStore({ backend: lmdbBackend(directory), readAttributes, onDamage: 'replace' });
await store.restore(half(), 0);
clearInterval(keepAlive);
