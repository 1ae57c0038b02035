/** `kindforge controllers`: runs controllers in a separate process, as clients of a server. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { serverOf } from '../flags/access.js';
import { inProject, projectOf } from '../flags/project.js';
import { messageOf } from './access.js';

interface ControllersFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
  readonly controllers: string;
  readonly module?: string;
  readonly leaderElect?: boolean;
  readonly httpPort?: string;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addControllers(program: Command): void {
  inProject(
    program.command('controllers').description('run controllers in a process of their own, as clients of a server'),
  )
    .option(
      '--kubeconfig <file>',
      'kubeconfig of the server (default: $KUBECONFIG, the one that kindforge serve wrote here or above, or ~/.kube/config)',
    )
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--server <url>', 'URL of a server that asks for no credentials')
    .option(
      '--controllers <names>',
      'controllers to run, comma-separated: * for those on by default, name to add one, -name to leave one out; or none',
      '*',
    )
    .option('--module <file>', 'JavaScript module with a controller, or a list of controllers, as its default export')
    .option('--leader-elect', 'of all processes with this flag, run the controllers in only one')
    .option('--http-port <port>', 'port of 127.0.0.1 for /healthz and /metrics, or auto for a free one (default: none)')
    .addHelpText(
      'after',
      `
It runs until SIGINT or SIGTERM, and then finishes the work in flight. The controllers of the project's configuration run, too.

Exit codes:
  0  it was stopped by a signal
  2  a flag is wrong, or the server does not answer`,
    )
    .action(async (flags: ControllersFlags) => {
      process.exitCode = exitCodes[await ending(flags)];
    });
}

async function ending(flags: ControllersFlags): Promise<Ending> {
  const { runElsewhere } = await import('../../server/controllers/elsewhere.js');
  const { controllerNames } = await import('../flags/serve/api.js');
  const { untilAskedToStop } = await import('../serve/last-handler.js');
  try {
    const project = await projectOf(flags.project);
    const running = await runElsewhere({
      server: serverOf(flags),
      controllers: controllerNames(flags.controllers),
      module: flags.module,
      own: project?.controllers,
      leaderElection: flags.leaderElect,
      port: readPort(flags.httpPort),
      onProblem: (problem) => console.error(`kindforge: ${problem}`),
    });
    const asked = untilAskedToStop();
    console.log(`running: ${running.names.join(', ') || 'none'}`);
    if (running.url !== undefined) console.log(`health and metrics: ${running.url}`);
    await asked;
    await running.stop();
    return 'done';
  } catch (error) {
    const { explainFailure } = await import('../flags/explain-failure.js');
    const { OptionError } = await import('../../server/option-error.js');
    const told = error instanceof OptionError ? explainFailure(error).message : await messageOf(error);
    console.error(`kindforge: ${told}`);
    return 'failed';
  }
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = text === 'auto' ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && (port > 0 || text === 'auto')) return port;
  throw new Error(`--http-port ${text}: must be a port from 1 to 65535, or auto`);
}
