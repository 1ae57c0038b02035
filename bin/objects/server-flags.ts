/** The flags by which commands about objects are told which server is meant, and which namespace. */
import type { Command } from 'commander';

export interface ServerFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
  readonly token?: string;
  readonly namespace?: string;
}

/** Gives a command the flags. */
export const addServerFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig of the server (default: see below)')
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--server <url>', 'URL of a server, in place of a kubeconfig')
    .option('--token <token>', 'bearer token to send, in place of the credentials of the kubeconfig')
    .option('-n, --namespace <name>', 'namespace that is meant (default: that of the context)');

/** The end of the help of such commands. */
export const serverHelp = `
Without --server and --kubeconfig, the server is that of $KUBECONFIG, or else of the kubeconfig that kindforge serve
wrote here or in a folder above (.kindforge/data/credentials/kubeconfig), or else of ~/.kube/config.

Exit codes:
  0  done
  1  the server refused, or has no such object
  2  a flag is wrong, or the server does not answer`;
