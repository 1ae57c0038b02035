/** A server with workers: workers are killed and frozen, and so is the process that owns the data. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Deploy, flagsFor, Mortal } from './deployments.js';
import { pick } from './scene.js';

/** Starts a server with so many workers on a folder of its own. `storage` makes the flag of the folder. */
export const onWorkers =
  (count: number, storage: (folder: string) => string): Deploy =>
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kindforge-history-'));
    const owner = new Mortal([...flagsFor(storage(join(folder, 'data'))), '--workers', String(count)]);
    await owner.start();
    return {
      urls: () => (owner.url === undefined ? [] : [owner.url]),
      disturb: () =>
        pick([
          () => owner.restart(),
          () => owner.freeze(lasting()),
          () => killWorker(owner.pid),
          () => killWorker(owner.pid),
          () => freezeWorker(owner.pid),
        ])(),
      async dispose() {
        await owner.kill();
        await rm(folder, { recursive: true, force: true });
        return withoutRestarts(owner.errors);
      },
    };
  };

/** Returns how long a process is frozen, in milliseconds. */
const lasting = (): number => 200 + Math.random() * 1000;

/** Another worker takes its place meanwhile. */
async function killWorker(owner: number | undefined): Promise<void> {
  signal(someWorker(owner), 'SIGKILL');
  await sleep(Math.random() * 500);
}

async function freezeWorker(owner: number | undefined): Promise<void> {
  const worker = someWorker(owner);
  signal(worker, 'SIGSTOP');
  await sleep(lasting());
  signal(worker, 'SIGCONT');
}

/** Returns a process that the owner has started, if it has any. */
function someWorker(owner = 0): number | undefined {
  const [first, ...others] = readFileSync(`/proc/${owner}/task/${owner}/children`, 'utf8').split(' ').flatMap(numberIn);
  return first === undefined ? undefined : pick([first, ...others]);
}

const numberIn = (text: string): readonly number[] => (Number(text) > 0 ? [Number(text)] : []);

function signal(process_: number | undefined, name: NodeJS.Signals): void {
  try {
    if (process_ !== undefined) process.kill(process_, name);
  } catch {
    // It has ended by itself.
  }
}

/** The owner reports each worker that it starts again, as it should. */
const withoutRestarts = (errors: string): string =>
  errors
    .split('\n')
    .filter((line) => !/worker \d+ (has ended|does not start): signal SIGKILL; it is started again/.test(line))
    .join('\n')
    .trim();
