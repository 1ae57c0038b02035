/** `kindforge generate`: writes the code of a folder of definitions. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, fromProject, inProject, messageFor, projectOf } from '../flags/project.js';

interface Flags {
  readonly schemas: string;
  readonly out: string;
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly against?: string;
  readonly allow?: string;
  readonly cache: boolean;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addGenerate(program: Command): void {
  inProject(
    program
      .command('generate')
      .description('generate code from resource definitions')
      .option('--schemas <dir>', 'folder with the definitions', 'schemas')
      .option('--out <dir>', 'folder to write the code to', 'generated')
      .option(
        '--against <path>',
        'more definitions not to break, besides the released ones, in a form that kindforge diff takes',
      )
      .option('--allow <file>', 'file that lists allowed breaks (default: lock/allow.yaml beside the definitions)')
      .option('--check', 'write nothing; list the files that are out of date')
      .option('--no-cache', 'neither read nor write the cache')
      .option('--watch', 'keep running and generate again when a definition changes'),
  )
    .addHelpText(
      'after',
      `
Exit codes:
  0  the code was generated; with --check: every file is up to date
  1  a definition has errors, cannot be read, or breaks what is released; with --check: a file is out of date
  2  a flag or the configuration of the project is wrong, or the output cannot be written`,
    )
    .action(async (flags: Flags, command: Command) => {
      if (flags.check === true && flags.watch === true)
        command.error('--check and --watch cannot be used together; leave one out');
      process.exitCode = exitCodes[await ending(command)];
    });
}

/** Returns how the run ended. The project's emitters run for its own folders only. */
async function ending(command: Command): Promise<Ending> {
  const isGiven = (attribute: string): boolean => command.getOptionValueSource(attribute) === 'cli';
  try {
    const isOther = isGiven('schemas') && isGiven('out') && !isGiven('project');
    const project = isOther ? undefined : await projectOf(command.opts<Flags>().project);
    fromProject(command, 'schemas', project?.schemas && fromHere(project.schemas));
    fromProject(command, 'out', project && fromHere(project.out));
    const { runGenerate } = await import('../../generator/commands/run-generate.js');
    const { openGate } = await import('../../generator/commands/open-gate.js');
    const flags = command.opts<Flags>();
    return await runGenerate({ ...flags, gate: await openGate(flags), own: project?.emitters });
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}
