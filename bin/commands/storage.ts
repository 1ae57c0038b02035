/** `kindforge storage`: snapshots of what is stored, the way back, the way elsewhere, and checks. */
import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.js';
import type { StorageJob } from '../storage/run-storage.js';

const stores = 'lmdb:<folder> or etcd:<endpoint>[,<endpoint>…][?prefix=…&user=…], as for serve';

const exits = `
Exit codes:
  0  it is done, and nothing is damaged
  1  what is stored, or the snapshot, is damaged; or the target has objects and --replace was not given
  2  a flag is wrong, or a store or a file cannot be opened, read or written`;

/** Adds the commands. What they need is loaded only when they run. */
export function addStorage(program: Command): void {
  const storage = program.command('storage').description('snapshot, restore, migrate and verify what is stored');
  storage
    .command('snapshot <file>')
    .description('write all objects to a new file, as they are at one revision')
    .requiredOption('--storage <store>', stores)
    .addHelpText('after', exits)
    .action((file: string, { storage }: { readonly storage: string }) => run({ job: 'snapshot', file, storage }));
  storage
    .command('restore <file>')
    .description('make what a snapshot holds all that a store holds')
    .requiredOption('--storage <store>', stores)
    .option('--replace', 'also where the store has objects: they are removed')
    .addHelpText('after', exits)
    .action((file: string, { storage, replace = false }: { readonly storage: string; readonly replace?: boolean }) =>
      run({ job: 'restore', file, storage, replace }),
    );
  storage
    .command('migrate')
    .description('make what one store holds all that another one holds')
    .requiredOption('--from <store>', stores)
    .requiredOption('--to <store>', 'likewise')
    .option('--replace', 'also where that store has objects: they are removed')
    .addHelpText('after', exits)
    .action((flags: { readonly from: string; readonly to: string; readonly replace?: boolean }) =>
      run({ job: 'migrate', ...flags, replace: flags.replace ?? false }),
    );
  storage
    .command('verify')
    .description('read and check everything in a store or a snapshot')
    .option('--storage <store>', stores)
    .option('--snapshot <file>', 'a file that `kindforge storage snapshot` has written')
    .addHelpText('after', exits)
    .action(({ storage, snapshot }: { readonly storage?: string; readonly snapshot?: string }, command: Command) => {
      if (storage !== undefined && snapshot === undefined) return run({ job: 'verify', storage });
      if (snapshot !== undefined && storage === undefined) return run({ job: 'verify-snapshot', file: snapshot });
      return command.error('say either --storage or --snapshot');
    });
}

async function run(job: StorageJob): Promise<void> {
  const { runStorage } = await import('../storage/run-storage.js');
  process.exitCode = exitCodes[await runStorage(job)];
}
