/** `kindforge dev`: serves a project while it is edited. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { addFlags } from '../flags/flag.js';
import { serveFlagGroups } from '../flags/serve/index.js';

/**
 * Set to the role of a process: `server` or `generator`. Not set in the process that the user starts, which watches the
 * project.
 */
const roleVariable = 'KINDFORGE_DEV_ROLE';

/** Adds the command. What it needs is loaded only when it runs. */
export function addDev(program: Command): void {
  const command = program
    .command('dev')
    .description('check, generate and serve a project, and follow each change of it')
    .option('--seed <dir>', 'folder of objects to apply once the server is ready');
  addFlags(command, serveFlagGroups);
  command
    .addHelpText(
      'after',
      `
Changed definitions take effect while the server runs. If the configuration or one of its modules changes, another
server starts with the same data. While there are mistakes, the last valid version stays in use.

Exit codes:
  0  it was stopped by a signal
  2  a flag is wrong`,
    )
    .action(async () => {
      process.exitCode = exitCodes[await ending(command)];
    });
}

async function ending(command: Command): Promise<Ending> {
  const role = process.send && process.env[roleVariable];
  if (role === 'server') {
    const { serveEdited } = await import('../serve/serve-edited.js');
    await serveEdited(command);
  } else if (role === 'generator') {
    const { generateEdited } = await import('../serve/generate-edited.js');
    await generateEdited(command);
  } else {
    const { superviseCommand } = await import('../serve/supervise-command.js');
    await superviseCommand(roleVariable);
  }
  return 'done';
}
