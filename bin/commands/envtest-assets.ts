/** `kindforge envtest-assets`: writes stand-ins for the programs of Kubernetes that test suites start. */
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
