/**
 * Measures the store by itself: `npx tsx bench/store.ts [--storage lmdb] [--objects 100000]
 * [--only commits,watch,memory]`. Each measurement runs in a process of its own. Compare the ratios; single figures
 * depend on the machine. A storage is said as to `kindforge serve`, with `{folder}` for a folder that is gone
 * afterwards: `lmdb:{folder}`, `unstorage:fs?base={folder}`, `unstorage:redis?url=redis://127.0.0.1:6379`.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withFolder } from './store/objects.js';

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'lmdb:{folder}' },
    objects: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'commits,watch,memory' },
  },
});

/** Runs one measurement in a new process and prints its rows. */
function measure(name: string, ...args: string[]): Promise<void> {
  const file = fileURLToPath(new URL(`./store/${name}.ts`, import.meta.url));
  const child = fork(file, args, { execArgv: ['--import', 'tsx', '--expose-gc'], stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))));
  });
}

const chosen = values.only.split(',');
if (chosen.includes('commits')) {
  for (const writers of [1, 32, 64]) await measure('commits', String(writers), values.storage);
}
if (chosen.includes('watch')) {
  for (const watches of [500, 5000]) await measure('watch', String(watches));
}
if (chosen.includes('memory')) {
  await withFolder(async (folder) => {
    for (const phase of ['fill', 'open', 'update', 'open'])
      await measure('memory', folder, phase, values.objects, values.storage);
  });
}
