/** `kindforge diff`: reports what a change of definitions breaks, and proves it. */
import { type Command, Option } from 'commander';
import type { DiffFormat } from '../../generator/commands/run-diff.js';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, inProject, messageFor, projectOf } from '../flags/project.js';

interface Flags {
  readonly format: DiffFormat;
  readonly allow?: string;
  readonly strict?: boolean;
  readonly objects?: string;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addDiff(program: Command): void {
  inProject(
    program
      .command('diff [old-path] [new-path]')
      .description('report what a change of definitions breaks, with objects that prove it')
      .addOption(
        new Option('--format <format>', 'output format').choices(['text', 'json', 'sarif', 'github']).default('text'),
      )
      .option('--allow <file>', 'file that lists allowed breaks (default: lock/allow.yaml beside the new definitions)')
      .option(
        '--objects <path>',
        'your own objects to try as well: a file, a folder, a store such as lmdb:data, or a server',
      )
      .option('--strict', 'count warnings and undecided changes as breaks'),
  )
    .addHelpText(
      'after',
      `
A side is a file, a folder, git:<revision>:<path>, server:<url>, or kubeconfig:<file>#<context>.
By default, the new side is the folder of the project's definitions, and the old side is the last release
(kindforge release). See docs/diff.md.

Exit codes:
  0  nothing breaks, or all breaks are allowed
  1  something breaks
  2  a flag is wrong, or a side cannot be read or has errors`,
    )
    .action(async (old: string | undefined, next: string | undefined, _flags: Flags, command: Command) => {
      process.exitCode = exitCodes[await ending(old, next, command)];
    });
}

async function ending(old: string | undefined, next: string | undefined, command: Command): Promise<Ending> {
  const { format, allow, strict, objects, project } = command.opts<Flags>();
  try {
    const { runDiff } = await import('../../generator/commands/run-diff.js');
    const { readObjects } = await import('../objects/read-objects.js');
    return await runDiff({
      old,
      new: next ?? (await schemasOf(project)),
      format,
      allow,
      ...(strict === undefined ? {} : { strict }),
      ...(objects === undefined ? {} : { objects: (wanted) => readObjects(objects, wanted) }),
    });
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}

/** Returns the folder of the project's definitions, or the usual one without a project. */
async function schemasOf(file: string | undefined): Promise<string> {
  const project = await projectOf(file);
  return project?.schemas === undefined ? 'schemas' : fromHere(project.schemas);
}
