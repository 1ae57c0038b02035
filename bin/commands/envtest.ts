/**
 * `kindforge envtest-assets` writes stand-ins for the programs of Kubernetes that test suites start. `kindforge
 * kube-apiserver …` runs as the program kube-apiserver would, with its arguments.
 */
import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addEnvtestAssets(program: Command): void {
  program
    .command('envtest-assets <dir>')
    .description('write kube-apiserver, etcd and kubectl for test suites such as envtest')
    .option('--controllers <names>', 'controllers to run, as in kindforge serve', 'none')
    .addHelpText(
      'after',
      `
Suites of controller-runtime take the folder from KUBEBUILDER_ASSETS. <dir>/kube-apiserver --help lists
the flags of kube-apiserver with their effects.

Exit codes:
  0  they are written
  2  the folder cannot be written to, or has programs that Kindforge did not write`,
    )
    .action(async (folder: string, { controllers }: { readonly controllers: string }) => {
      const { writeEntryPoints } = await import('../envtest/write-entry-points.js');
      process.exitCode = exitCodes[writeEntryPoints({ folder, controllers })];
    });
}

/** The exit code of kube-apiserver for every failure. */
const failed = 1;

/** The name of the subcommand. */
export const apiServerCommand = 'kube-apiserver';

/** Hands arguments of `kindforge serve` to `serve`, or ends the process. */
export async function runApiServer(
  args: readonly string[],
  serve: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  const { readApiServer } = await import('../envtest/run-api-server.js');
  try {
    const next = await readApiServer(args, {
      print: (text) => void process.stdout.write(text),
      warn: (line) => console.error(line),
      environment: process.env,
    });
    if ('exit' in next) process.exitCode = next.exit;
    else {
      await serve(next.serve);
      if (process.exitCode) process.exitCode = failed;
    }
  } catch (error) {
    console.error(`kube-apiserver: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = failed;
  }
}
