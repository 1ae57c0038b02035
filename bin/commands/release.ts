/** `kindforge release`: records what is released, so that it cannot break by accident. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, fromProject, inProject, messageFor, projectOf } from '../flags/project.js';

interface Flags {
  readonly schemas: string;
  readonly allow?: string;
  readonly force?: boolean;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addRelease(program: Command): void {
  inProject(
    program
      .command('release')
      .description(
        'record the definitions as released; from then on, check and generate refuse changes that break them',
      )
      .option('--schemas <dir>', 'folder with the definitions', 'schemas')
      .option('--allow <file>', 'file that lists allowed breaks (default: lock/allow.yaml beside the definitions)')
      .option('--force', 'record them even if they break released ones'),
  )
    .addHelpText(
      'after',
      `
The record is a copy of the definitions in lock/released beside them, to be committed. See docs/diff.md.

Exit codes:
  0  the definitions are recorded
  1  a definition has errors, or breaks what was released before; nothing was recorded
  2  a flag or the configuration of the project is wrong, or the record cannot be written`,
    )
    .action(async (_flags: Flags, command: Command) => {
      process.exitCode = exitCodes[await ending(command)];
    });
}

async function ending(command: Command): Promise<Ending> {
  try {
    const project = await projectOf(command.opts<Flags>().project);
    fromProject(command, 'schemas', project?.schemas && fromHere(project.schemas));
    const { runRelease } = await import('../../generator/commands/run-release.js');
    return await runRelease(command.opts<Flags>());
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}
