/** `kindforge access`: answers who may do what on a running server, and prints the roles that a command needs. */
import { type Command, Option } from 'commander';
import { withAdvice } from '../../runtime/objects/failures.js';
import type { AccessAnswer, AskedServer } from '../../server/access/answer-questions.js';
import { type Ending, exitCodes } from '../exit-codes.js';
import { type AccessFlags, listOf, type RecordFlags, serverOf, wordsOf } from '../flags/access.js';

/** Gives a command the flags that name the server. */
export const reachable = (command: Command): Command =>
  command
    .option(
      '--kubeconfig <file>',
      'kubeconfig of the server (default: $KUBECONFIG, the one that kindforge serve wrote here or above, or ~/.kube/config)',
    )
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--server <url>', 'URL of a server that asks for no credentials')
    .option('-n, --namespace <name>', 'namespace to use (default: the namespace of the context)');

/** Adds the command. What it needs is loaded only when it runs. */
function addRecord(access: Command): void {
  reachable(
    access
      .command('record')
      .argument('<command...>', 'command and its arguments, after --')
      .description('run a command, and print the smallest role that allows its requests'),
  )
    .option('--name <name>', 'name of the role', 'recorded')
    .option('--output-file <file>', 'file for the role (default: standard output)')
    .addHelpText(
      'after',
      `
The command reaches the server through KUBECONFIG, with your rights. Its requests are recorded, even if the server refuses them.

  kindforge access record -- kubectl get pods

Exit codes: the exit code of the command, or
  2    a flag is wrong, or the kubeconfig cannot be used
  126  the command cannot be run
  127  the command does not exist`,
    )
    .action(async (command: string[], flags: RecordFlags) => {
      process.exitCode = await runRecord(command, flags);
    });
}

async function runRecord(command: readonly string[], flags: RecordFlags): Promise<number> {
  try {
    const { recordCommand } = await import('../../server/access/record-command.js');
    const { name, outputFile, namespace } = flags;
    const { code, text, remarks } = await recordCommand({ server: serverOf(flags), command, name, namespace });
    for (const remark of remarks) console.error(`kindforge: ${remark}`);
    if (outputFile === undefined) process.stdout.write(text);
    else {
      const { writeFileSync } = await import('node:fs');
      writeFileSync(outputFile, text);
    }
    return code;
  } catch (error) {
    console.error(`kindforge: ${await messageOf(error)}`);
    return exitCodes.failed;
  }
}

/** Returns the message for a failed call to a server. */
export async function messageOf(error: unknown): Promise<string> {
  const { isConnectionError } = await import('../../client/index.js');
  const { connectionHint } = await import('../objects/failure.js');
  const hint = isConnectionError(error) ? connectionHint(error) : '';
  const message = error instanceof Error ? error.message : String(error);
  const { MissingKubeconfig } = await import('../../client/node/kubeconfig-files.js');
  if (error instanceof MissingKubeconfig) {
    return `no kubeconfig found at ${error.paths.join(', ')}; name the server with --kubeconfig FILE or --server URL: kindforge serve prints both`;
  }
  return `${withAdvice(message, process.cwd())}${hint}`;
}

/** Adds the commands. What they need is loaded only when they run. */
export function addAccess(program: Command): void {
  const access = program.command('access').description('ask who may do what on a running server, and why');
  addWhoCan(access);
  addWhy(access);
  addMatrix(access);
  addRecord(access);
}

const exits = `
Exit codes:
  0  the answer was printed
  2  a flag is wrong, or the server cannot answer the question`;

const output = (): Option =>
  new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text');

const question = (command: Command): Command =>
  reachable(
    command
      .argument('<verb>', 'verb such as get, list or create; for paths, a method such as get')
      .argument('<resource>', 'resource such as pods, deployments.apps or pods/log, or a path such as /metrics')
      .argument('[name]', 'name of one object'),
  )
    .option('--subresource <name>', 'subresource such as log or status')
    .addOption(output());

function addWhoCan(access: Command): void {
  question(access.command('who-can').description('print everyone whom a role allows to do something'))
    .option('-A, --all-namespaces', 'include users who may do it in one namespace only')
    .addHelpText('after', exits)
    .action((verb: string, resource: string, name: string | undefined, flags: AccessFlags) =>
      answer(flags, async () => {
        const [{ answerWhoCan }, server] = await asking(flags);
        return answerWhoCan(server, wordsOf(verb, resource, name, flags));
      }),
    );
}

function addWhy(access: Command): void {
  question(access.command('why').description('print why a user may do something, or what is missing'))
    .option('--as <user>', 'user to ask about (default: you)')
    .option('--as-group <group>', 'group that the user is in; may be given more than once', gather, [])
    .addHelpText(
      'after',
      `
Exit codes:
  0  it is allowed
  1  it is not
  2  a flag is wrong, or the server cannot answer the question`,
    )
    .action((verb: string, resource: string, name: string | undefined, flags: AccessFlags) =>
      answer(flags, async () => {
        const [{ answerWhy }, server] = await asking(flags);
        return answerWhy(server, wordsOf(verb, resource, name, flags), flags.as, flags.asGroup ?? []);
      }),
    );
}

function addMatrix(access: Command): void {
  reachable(access.command('matrix').description('print what each subject may do to each resource'))
    .option('--resources <names>', 'comma-separated resources, such as pods,deployments.apps,pods/log (default: all)')
    .option('--verbs <names>', 'comma-separated verbs (default: the usual eight)')
    .option('--system', 'show users, groups and service accounts of the system, too')
    .addOption(output())
    .addHelpText('after', exits)
    .action((flags: AccessFlags) =>
      answer(flags, async () => {
        const [{ answerMatrix }, server] = await asking(flags);
        const [resources, verbs] = [listOf(flags.resources), listOf(flags.verbs)];
        return answerMatrix(server, {
          namespace: flags.namespace,
          resources,
          verbs,
          system: flags.system ?? false,
        });
      }),
    );
}

/** Loads the code that answers questions, and connects to the server. */
async function asking(
  flags: AccessFlags,
): Promise<[typeof import('../../server/access/answer-questions.js'), AskedServer]> {
  const { askedServer } = await import('../../server/access/connect.js');
  return [await import('../../server/access/answer-questions.js'), await askedServer(serverOf(flags))];
}

const gather = (one: string, before: readonly string[]): readonly string[] => [...before, one];

/** Prints the answer to standard output, and remarks to standard error. */
async function answer({ output }: AccessFlags, ask: () => Promise<AccessAnswer>): Promise<void> {
  process.exitCode = exitCodes[await ending(output, ask)];
}

async function ending(format: string | undefined, ask: () => Promise<AccessAnswer>): Promise<Ending> {
  try {
    const { lines, json, remarks, allowed } = await ask();
    for (const remark of remarks) console.error(`kindforge: ${remark}`);
    if (format === 'json') console.log(JSON.stringify(json, undefined, 2));
    else for (const line of lines) console.log(line);
    return allowed ? 'done' : 'refused';
  } catch (error) {
    console.error(`kindforge: ${await messageOf(error)}`);
    return 'failed';
  }
}
