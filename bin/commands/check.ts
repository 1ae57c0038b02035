/** `kindforge check`: reports every mistake in a folder of definitions. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, fromProject, inProject, messageFor, projectOf } from '../flags/project.js';

interface Flags {
  readonly schemas: string;
  readonly against?: string;
  readonly allow?: string;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addCheck(program: Command): void {
  inProject(
    program
      .command('check')
      .description('check resource definitions and report every mistake')
      .option('--schemas <dir>', 'folder with the definitions', 'schemas')
      .option(
        '--against <path>',
        'more definitions not to break, besides the released ones, in a form that kindforge diff takes',
      )
      .option('--allow <file>', 'file that lists allowed breaks (default: lock/allow.yaml beside the definitions)'),
  )
    .addHelpText(
      'after',
      `
Each mistake is printed as <file>:<line>:<column> <code> <message>. See docs/diagnostics.md for the codes.

Exit codes:
  0  no errors (warnings are possible)
  1  a definition has errors, cannot be read, or breaks what is released
  2  a flag or the configuration of the project is wrong, or --against cannot be read`,
    )
    .action(async (_flags: Flags, command: Command) => {
      process.exitCode = exitCodes[await ending(command)];
    });
}

async function ending(command: Command): Promise<Ending> {
  try {
    // This command needs the project only for its definitions folder.
    const isOther = command.getOptionValueSource('schemas') === 'cli';
    const project = isOther ? undefined : await projectOf(command.opts<Flags>().project);
    if (!isOther) {
      fromProject(command, 'schemas', project?.schemas && fromHere(project.schemas));
    }
    const flags = command.opts<Flags>();
    const { openGate } = await import('../../generator/commands/open-gate.js');
    const { runCheck } = await import('../../generator/commands/run-check.js');
    const gate = await openGate(flags);
    if (!project) return runCheck({ schemas: flags.schemas, gate });
    const { followedVersions } = await import('../project/followed-versions.js');
    const follows = followedVersions(project);
    return runCheck({ schemas: flags.schemas, gate: (loaded) => [...follows(loaded), ...(gate?.(loaded) ?? [])] });
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}
