/** `kindforge storage`: snapshots, restores, copies, migrates and verifies stored objects. */
import type { Command } from 'commander';
import type { MigrateVersionsFlags } from '../../server/maintenance/migrate-versions.js';
import type { RunningServerFlags } from '../../server/maintenance/open-stores.js';
import type { RewriteFlags } from '../../server/maintenance/rewrite.js';
import { run, runMigration, runRewrite } from '../storage.js';

const stores =
  'lmdb:<folder>, fs:<folder>, unstorage:<driver>[?<option>=…], etcd:<endpoint>[,<endpoint>…][?prefix=…&user=…] or ' +
  'postgres://<user>@<host>/<database>[?schema=…], as for serve';

const kubeconfig =
  'kubeconfig of a running server (default: $KUBECONFIG, the one that kindforge serve wrote here or above, or ~/.kube/config)';

const exits = `
Exit codes:
  0  done, and nothing is damaged
  1  the store or the snapshot is damaged, or the target has objects and --replace was not given
  2  a flag is wrong, or a store or a file cannot be opened, read or written`;

const rewriteExits = `
Exit codes:
  0  every object is encrypted as the server, or the configuration, says
  1  some objects could not be written, which the output names; or the command was asked to stop
  2  a flag is wrong, or the store or the server cannot be used`;

const migrationExits = `
Exit codes:
  0  every object is stored in the current version
  1  some objects could not be rewritten, which the output names; or the command was asked to stop
  2  a flag is wrong, or the store or the server cannot be used`;

const encryption = ['--encryption-provider-config <file>', 'keys of what is stored, as for serve'] as const;

/** The keys of a store, for commands that read or write one. */
interface Keys {
  readonly encryptionProviderConfig?: string;
}

/** Adds the commands. What they need is loaded only when they run. */
export function addStorage(program: Command): void {
  const storage = program.command('storage').description('snapshot, restore, migrate and verify stored objects');
  const snapshot = storage
    .command('snapshot <file>')
    .description('write all objects, as of one revision, to a new file')
    .option('--storage <store>', `${stores}; of these, only etcd and PostgreSQL may be in use by a server`)
    .option(encryption[0], `with --storage: ${encryption[1]}; encrypts the file, too`)
    .option('--server <url>', 'URL of a running server that asks for no credentials')
    .option('--kubeconfig <file>', `${kubeconfig}; its user must have the right to list everything`)
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .addHelpText('after', exits)
    .action(async (file: string, given: StoreOrServer & Keys) => {
      const { storage, ...flags } = await storeOrServer(given, snapshot);
      return run(
        storage === undefined
          ? { job: 'snapshot-of-server', file, ...flags }
          : { job: 'snapshot', file, storage, encryptionProviderConfig: flags.encryptionProviderConfig },
      );
    });
  storage
    .command('restore <file>')
    .description('fill a store with the objects of a snapshot')
    .requiredOption('--storage <store>', stores)
    .option('--replace', 'remove the objects that the store has; without this flag it must be empty')
    .option(...encryption)
    .addHelpText('after', exits)
    .action((file: string, flags: Keys & { readonly storage: string; readonly replace?: boolean }) =>
      run({ job: 'restore', file, ...flags, replace: flags.replace ?? false }),
    );
  storage
    .command('migrate')
    .description('copy all objects from one store to another')
    .requiredOption('--from <store>', `store to read: ${stores}`)
    .requiredOption('--to <store>', 'store to write, in the same form')
    .option('--replace', 'remove the objects that the target has; without this flag it must be empty')
    .option(encryption[0], 'keys of what is stored in both, as for serve')
    .addHelpText('after', exits)
    .action((flags: Keys & { readonly from: string; readonly to: string; readonly replace?: boolean }) =>
      run({ job: 'migrate', ...flags, replace: flags.replace ?? false }),
    );
  const migrateVersions = storage
    .command('migrate-versions')
    .description('rewrite objects that are stored in an earlier version of their kind')
    .option('--storage <store>', `${stores}; no server may use it meanwhile`)
    .option('--server <url>', 'URL of a running server that asks for no credentials')
    .option('--kubeconfig <file>', kubeconfig)
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--schemas <dir>', 'with --storage: folder with your own definitions, as for serve')
    .option('--naming <names>', 'with --storage: names of API groups, as for serve', 'platform')
    .option('--rate <objects>', 'most objects per second (default: 500, and no limit with --storage)')
    .option(encryption[0], `with --storage: ${encryption[1]}`)
    .option('--state <file>', 'file with the progress, from which the command continues when it is run again')
    .addHelpText('after', migrationExits)
    .action(async (flags: MigrateVersionsFlags) => runMigration(await storeOrServer(flags, migrateVersions)));
  const rewrite = storage
    .command('rewrite')
    .description('write objects again that are not encrypted with the first key, or not at all')
    .option('--storage <store>', `${stores}; no server may use it meanwhile`)
    .option(encryption[0], `with --storage: ${encryption[1]}`)
    .option('--server <url>', 'URL of a running server that asks for no credentials')
    .option('--kubeconfig <file>', kubeconfig)
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .addHelpText('after', rewriteExits)
    .action(async (flags: RewriteFlags) => runRewrite(await storeOrServer(flags, rewrite)));
  storage
    .command('verify')
    .description('read and check everything in a store or a snapshot')
    .option('--storage <store>', stores)
    .option('--snapshot <file>', 'a file written by `kindforge storage snapshot`')
    .option(...encryption)
    .addHelpText('after', exits)
    .action((flags: Keys & { readonly storage?: string; readonly snapshot?: string }, command: Command) => {
      const { storage, snapshot, ...keys } = flags;
      if (storage !== undefined && snapshot === undefined) return run({ job: 'verify', storage, ...keys });
      if (snapshot !== undefined && storage === undefined)
        return run({ job: 'verify-snapshot', file: snapshot, ...keys });
      return command.error('give either --storage or --snapshot');
    });
  addStatements(storage);
}

/** Adds the commands that print SQL. They connect to nothing. */
function addStatements(storage: Command): void {
  const schema = ['--schema <name>', 'schema of the tables, as in the URL of the store', 'kindforge'] as const;
  storage
    .command('schema <database>')
    .description('print the statements that create the tables of a store; the only database is postgres')
    .option(...schema)
    .action(async (database: string, flags: { readonly schema: string }, command: Command) => {
      if (database !== 'postgres') return command.error(`${database} is not a database that stores objects in tables`);
      return print('tables', flags.schema);
    });
  storage
    .command('sql')
    .description('print statements that create views of a store in PostgreSQL, for reports')
    .option(...schema)
    .action((flags: { readonly schema: string }) => print('views', flags.schema));
}

async function print(kind: 'tables' | 'views', schema: string): Promise<void> {
  const { statementsFor } = await import('../../server/maintenance/statements.js');
  console.log((await statementsFor(kind, schema)).trim());
}

interface StoreOrServer extends RunningServerFlags {
  readonly storage?: string;
}

/** Returns flags that name one store or one server. Without them, the server is the one that other commands find. */
async function storeOrServer<Flags extends StoreOrServer>(flags: Flags, command: Command): Promise<Flags> {
  const given = [flags.storage, flags.server, flags.kubeconfig].filter((flag) => flag !== undefined).length;
  if (given > 1) command.error('kindforge: give only one of --storage, --server and --kubeconfig');
  if (given === 1 || process.env.KUBECONFIG) return flags;
  const path = await knownKubeconfig(command);
  if (path !== undefined) return { ...flags, kubeconfig: path };
  return command.error(
    'kindforge: no server is known: give --storage STORE, --server URL or --kubeconfig FILE\n' +
      '→ kindforge serve writes a kubeconfig next to its data, and commands find .kindforge/data/credentials/kubeconfig',
  );
}

/** Returns the kubeconfig that other commands use without flags. Ends the command if others can change it. */
async function knownKubeconfig(command: Command): Promise<string | undefined> {
  const { findKubeconfig } = await import('../objects/target.js');
  try {
    return findKubeconfig({ folder: process.cwd(), environment: process.env })?.path;
  } catch (error) {
    const { reportFailure } = await import('../objects/failure.js');
    return command.error(reportFailure(error).lines.join('\n'));
  }
}
