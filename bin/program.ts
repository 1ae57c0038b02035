/** The one command, `kindforge`. Each subcommand is a file of `commands/`. */
import { type Command, CommanderError } from 'commander';
import { readProductVersion } from '../server/kinds.js';
import { addAccess } from './commands/access.js';
import { addAggregate } from './commands/aggregate.js';
import { addApply } from './commands/apply.js';
import { addAudit } from './commands/audit.js';
import { addBundle } from './commands/bundle.js';
import { addCheck } from './commands/check.js';
import { addCompletion } from './commands/completion.js';
import { addConsole } from './commands/console.js';
import { addControllers } from './commands/controllers.js';
import { addConversionWebhook } from './commands/conversion-webhook.js';
import { addConvert } from './commands/convert.js';
import { addDelete } from './commands/delete.js';
import { addDev } from './commands/dev.js';
import { addDiff } from './commands/diff.js';
import { addDoctor } from './commands/doctor.js';
import { addEnvtestAssets, apiServerCommand, runApiServer } from './commands/envtest.js';
import { addExplain } from './commands/explain.js';
import { addGenerate } from './commands/generate.js';
import { addGet } from './commands/get.js';
import { addImport } from './commands/import.js';
import { addInit } from './commands/init.js';
import { addLifecycle } from './commands/lifecycle.js';
import { addLogin } from './commands/login.js';
import { addRelease } from './commands/release.js';
import { addReleases } from './commands/releases.js';
import { addServe } from './commands/serve.js';
import { addStorage } from './commands/storage.js';
import { addUser } from './commands/user.js';
import { addWatch } from './commands/watch.js';
import { addWebhooks } from './commands/webhooks.js';
import { exitCodes } from './exit-codes.js';
import { BooleanFormsCommand } from './flags/boolean-forms.js';
import { guardStream } from './guard-stream.js';

const adding = [
  addInit,
  addGenerate,
  addCheck,
  addDiff,
  addLifecycle,
  addRelease,
  addReleases,
  addImport,
  addConvert,
  addConversionWebhook,
  addServe,
  addDev,
  addBundle,
  addAggregate,
  addControllers,
  addConsole,
  addLogin,
  addGet,
  addApply,
  addDelete,
  addWatch,
  addExplain,
  addDoctor,
  addStorage,
  addAudit,
  addAccess,
  addUser,
  addWebhooks,
  addEnvtestAssets,
  addCompletion,
];

/** Creates the program with all of its commands, and does not run them. */
export function createProgram(): Command {
  const program = new BooleanFormsCommand('kindforge')
    .description('Turns YAML resource definitions into a running, typed, Kubernetes-style API.')
    .version(readProductVersion(), '-v, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(withHelp(text)) })
    .configureHelp({ showGlobalOptions: true });
  for (const add of adding) add(program);
  return program;
}

/** Returns the message of a mistake in words or flags. Adds a hint if the message has no advice. */
const withHelp = (message: string): string =>
  /did you mean|choices are|;/i.test(message)
    ? message
    : `${message.trimEnd().replace(/\.$/, '')}; --help lists what there is\n`;

/** Runs the command in the arguments of the process, and sets the exit code to its result. */
export function run(): void {
  const program = createProgram();
  for (const stream of [process.stdout, process.stderr]) guardStream(stream);

  // By default, Node opens its inspector at this signal, and whoever reaches the port runs code.
  if (!asksForInspector()) process.on('SIGUSR1', () => undefined);
  // A reader such as `head` may close the pipe before everything is printed.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failed),
  );
  const [command, ...others] = process.argv.slice(2);
  if (command === apiServerCommand) void runApiServer(others, (args) => runCommand(program, ['serve', ...args]));
  else void runCommand(program, process.argv.slice(2));
}

const asksForInspector = (): boolean => /--inspect/.test([...process.execArgv, process.env.NODE_OPTIONS].join(' '));

async function runCommand(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.failed;
  }
}
