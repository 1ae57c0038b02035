/** `kindforge access record`: the smallest role that lets a command do what it does. */
import type { Command } from 'commander';
import { withAdvice } from '../../runtime/objects/failures.js';
import { exitCodes } from '../exit-codes.js';
import { type RecordFlags, serverOf } from '../flags/access.js';

/** Gives a command the flags that say which server is meant. */
export const reachable = (command: Command): Command =>
  command
    .option(
      '--kubeconfig <file>',
      'kubeconfig of the server (default: $KUBECONFIG, that which kindforge serve wrote here or above, or ~/.kube/config)',
    )
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--server <url>', 'URL of a server that asks for no credentials')
    .option('-n, --namespace <name>', 'namespace that is meant (default: that of the context)');

/** Adds the command. What it needs is loaded only when it runs. */
export function addRecord(access: Command): void {
  reachable(
    access
      .command('record')
      .argument('<command...>', 'command and its arguments, after --')
      .description('run a command, and print the smallest role that lets it do what it did'),
  )
    .option('--name <name>', 'name of the role', 'recorded')
    .option('--output-file <file>', 'file for the role (default: standard output)')
    .addHelpText(
      'after',
      `
The command reaches the server by KUBECONFIG, with your rights. What it asks for is recorded, also where it is refused.

  kindforge access record -- kubectl get pods

Exit codes: that of the command, or
  2    a flag is wrong, or the kubeconfig cannot be used
  126  the command cannot be run
  127  there is no such command`,
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

/** Returns the words for standard error of a failed call to a server. */
export async function messageOf(error: unknown): Promise<string> {
  const { isConnectionError } = await import('../../client/index.js');
  const hint = isConnectionError(error) ? '; is the server running, and is this its address?' : '';
  const message = error instanceof Error ? error.message : String(error);
  const { MissingKubeconfig } = await import('../../client/node/kubeconfig-files.js');
  if (error instanceof MissingKubeconfig) {
    return `there is no kubeconfig at ${error.paths.join(', ')}; name the server with --kubeconfig FILE or --server URL: kindforge serve prints both`;
  }
  return `${withAdvice(message, process.cwd())}${hint}`;
}
