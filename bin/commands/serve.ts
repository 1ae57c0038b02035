/** `kindforge serve`: serves an API from the built-in kinds and a folder of definitions. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { addServeFlags, type ServeFlags } from '../flags/serve-flags.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addServe(program: Command): void {
  const command = program.command('serve').description('serve an API with the built-in kinds and your own definitions');
  addServeFlags(command)
    .addHelpText(
      'after',
      `
Without --token-auth-file and --allow-everyone, the server creates an administrator. It writes the credentials to files
that only you can read: a kubeconfig, and a header for curl. It listens on loopback addresses only.

Exit codes:
  0  the server was stopped
  1  a definition has errors, or stored data is damaged
  2  a flag is wrong, or the port or the store cannot be opened`,
    )
    .action(async (flags: ServeFlags) => {
      process.exitCode = exitCodes[await runServe(flags)];
    });
}

/** Serves until the process is asked to stop. Mistakes are printed with what to do about them. */
async function runServe(flags: ServeFlags): Promise<Ending> {
  const { readServeOptions } = await import('../flags/serve-options.js');
  const { startServer } = await import('../../server/start-server.js');
  const { banner } = await import('../banner.js');
  try {
    const options = readServeOptions(flags);
    // From here on a signal is heard, and obeyed as soon as there is something to stop; a second one ends the process.
    const asked = untilAskedToStop();
    const server = await startServer(options);
    try {
      if (!flags.quiet) process.stdout.write(banner(options, server));
      await asked;
    } finally {
      await server.stop();
    }
    return 'done';
  } catch (error) {
    const { explainFailure } = await import('../flags/explain-failure.js');
    const { ending, message } = explainFailure(error);
    console.error(`kindforge: ${message}`);
    return ending;
  }
}

function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
