/** `kindforge lifecycle`: prints when each version of a resource may be removed, and refuses early changes. */
import { type Command, Option } from 'commander';
import type { LifecycleFlags } from '../../generator/commands/run-lifecycle.js';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, fromProject, inProject, messageFor, projectOf } from '../flags/project.js';

type Flags = LifecycleFlags & { readonly project?: string };

/** Adds the command. What it needs is loaded only when it runs. */
export function addLifecycle(program: Command): void {
  inProject(
    program
      .command('lifecycle')
      .description('print when each version may be removed, and refuse changes that come too early')
      .option('--schemas <dir>', 'folder with the definitions', 'schemas')
      .option(
        '--against <side>',
        'definitions of the release before: a folder, a file, or git:<revision>:<path> (default: what was last released)',
      )
      .option('--release <release>', 'release that the definitions are for, as in 1.27 (default: the one served)')
      .option('--date <date>', 'when that release comes, as in 2024-05-31 (default: today)')
      .option('--releases-per-year <number>', 'how many releases come in a year, from 1 to 52 (default: 3)')
      .option('--all', 'show versions that are gone, too')
      .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text')),
  )
    .addHelpText(
      'after',
      `
Exit codes:
  0  nothing moves too early (warnings are possible)
  1  something does, or a definition has errors
  2  a flag is wrong, or the definitions of the release before cannot be read or have errors`,
    )
    .action(async (_flags: Flags, command: Command) => {
      process.exitCode = exitCodes[await ending(command)];
    });
}

async function ending(command: Command): Promise<Ending> {
  try {
    if (command.getOptionValueSource('schemas') !== 'cli') {
      const project = await projectOf(command.opts<Flags>().project);
      fromProject(command, 'schemas', project?.schemas && fromHere(project.schemas));
    }
    const { runLifecycle } = await import('../../generator/commands/run-lifecycle.js');
    return await runLifecycle(command.opts<Flags>());
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}
