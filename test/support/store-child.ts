/**
 * A process that opens a store on LMDB and follows commands over IPC: `hold` keeps it open, `fill` writes until the
 * disk is full, `commit` makes so many commits one after the other.
 */
import { lmdbBackend, openStore } from '../../runtime/storage/index.js';
import { encoded, readAttributes } from './store-objects.js';

const [directory = '', task = 'hold', count = ''] = process.argv.slice(2);

function tell(message: unknown): void {
  process.send?.(message);
}

async function fill(): Promise<void> {
  const store = await openStore({ backend: lmdbBackend(directory), readAttributes });
  let stored = 0;
  for (let index = 0; index < 1000; index++) {
    const next = encoded('x'.repeat(20_000));
    const answer = await store.commit({ key: `g/things/${index}`, expected: 0, next });
    if (answer.outcome === 'failed') {
      tell({ stored, revision: store.revision, listed: store.count(''), message: answer.failure.message });
      const gone = store.get('g/things/0');
      const removed = await store.commit({ key: 'g/things/0', expected: gone?.revision ?? 0 });
      tell({ removed: removed.outcome });
      return;
    }
    stored++;
  }
  tell({ stored, message: 'never full' });
}

async function commit(commits: number): Promise<void> {
  const store = await openStore({ backend: lmdbBackend(directory), readAttributes });
  for (let index = 0; index < commits; index++) {
    await store.commit({ key: `g/things/${index}`, expected: 0, next: encoded('x') });
  }
  await store.close();
}

if (task === 'fill') await fill();
else if (task === 'commit') await commit(Number(count));
else {
  try {
    const store = await openStore({ backend: lmdbBackend(directory), readAttributes });
    tell({ opened: store.count('') });
    setInterval(() => {}, 1000);
  } catch (error) {
    tell({ error: error instanceof Error ? error.message : String(error) });
  }
}
