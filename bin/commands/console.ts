/** `kindforge console`: serves the console on this machine, in front of the server of a kubeconfig. */
import type { Command } from 'commander';
import type { ServerFlags } from '../objects/server-flags.js';

type Flags = Pick<ServerFlags, 'kubeconfig' | 'context'> & {
  readonly port?: string;
  readonly link?: boolean;
};

/** Adds the command. What it needs is loaded only when it runs. */
export function addConsole(program: Command): void {
  program
    .command('console')
    .description('serve the console on this machine, in front of any Kubernetes API')
    .option('--kubeconfig <file>', 'kubeconfig of the server (default: see below)')
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--port <port>', 'port to listen on, at 127.0.0.1 (default: a free one)')
    .option('--link', "print another link to the server's own console, as kindforge serve does when it starts")
    .addHelpText(
      'after',
      `
Prints a link that opens the console, once, within two minutes; Enter prints another one. The console acts with the credentials of the kubeconfig, which stay in this command.
Without --kubeconfig, the kubeconfig is $KUBECONFIG, or else the one that kindforge serve wrote here or in a
folder above (.kindforge/data/credentials/kubeconfig), or else ~/.kube/config.
kindforge serve has the console itself, at /console/; --link prints a link there, if the kubeconfig has the
administrator's credentials. See docs/console.md.

Exit codes:
  0  stopped by Ctrl+C or SIGTERM, or the link is printed
  1  the server refused the credentials, or makes no links
  2  a flag is wrong, the port is taken, or the server does not answer`,
    )
    .action(async ({ port = '0', link, ...flags }: Flags, command: Command) => {
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        command.error(`error: --port ${port}: must be a port number`);
      const { printLink, runConsole } = await import('../objects/run-console.js');
      await (link ? printLink(flags) : runConsole(flags, Number(port)));
    });
}
