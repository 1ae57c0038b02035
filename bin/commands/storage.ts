/** `kindforge storage`: snapshots of what is stored, the way back, the way elsewhere, and checks. */
import type { Command } from 'commander';
import type { MigrateVersionsFlags } from '../../server/maintenance/migrate-versions.js';
import type { StorageJob } from '../../server/maintenance/run-storage.js';
import { exitCodes } from '../exit-codes.js';

const stores =
  'lmdb:<folder>, unstorage:<driver>[?<option>=…] or etcd:<endpoint>[,<endpoint>…][?prefix=…&user=…], as for serve';

const exits = `
Exit codes:
  0  it is done, and nothing is damaged
  1  what is stored, or the snapshot, is damaged; or the target has objects and --replace was not given
  2  a flag is wrong, or a store or a file cannot be opened, read or written`;

const migrationExits = `
Exit codes:
  0  all objects are in the version that is stored now
  1  some objects could not be written again; they are named
  2  a flag is wrong, or the store or the server cannot be used`;

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
  const migrateVersions = storage
    .command('migrate-versions')
    .description('write all objects that were stored in an earlier version again')
    .option('--storage <store>', `${stores}; while no server uses it`)
    .option('--server <url>', 'a running server that asks for no credentials')
    .option('--kubeconfig <file>', 'how to reach a running server')
    .option('--context <name>', 'context of the kubeconfig; its current one where not given')
    .option('--schemas <dir>', 'with --storage: folder of further definitions, as for serve')
    .option('--naming <names>', 'with --storage: the names that the server uses, as for serve', 'platform')
    .addHelpText('after', migrationExits)
    .action((flags: MigrateVersionsFlags) => {
      const chosen = [flags.storage, flags.server, flags.kubeconfig].filter((each) => each !== undefined);
      if (chosen.length !== 1) return migrateVersions.error('say one of --storage, --server and --kubeconfig');
      return runMigration(flags);
    });
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

async function runMigration(flags: MigrateVersionsFlags): Promise<void> {
  const { runMigrateVersions } = await import('../../server/maintenance/migrate-versions.js');
  process.exitCode = exitCodes[await runMigrateVersions(flags)];
}

async function run(job: StorageJob): Promise<void> {
  const { runStorage } = await import('../../server/maintenance/run-storage.js');
  process.exitCode = exitCodes[await runStorage(job)];
}
