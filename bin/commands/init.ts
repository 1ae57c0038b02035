/** `kindforge init`: writes a new project. */
import { type Command, Option } from 'commander';
import type { NamingId } from '../../runtime/objects/names/naming.js';
import { type Ending, exitCodes } from '../exit-codes.js';
import { messageFor } from '../flags/project.js';

interface Flags {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly naming?: NamingId;
  readonly package?: string;
  readonly yes?: boolean;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addInit(program: Command): void {
  program
    .command('init [dir]')
    .description('write a new project: a definition, a controller, an admission rule, a test, and how to ship it')
    .option('--name <name>', 'name of the project (default: the name of the folder)')
    .option('--group <group>', 'API group of the first kind (default: <name>.example.com)')
    .option('--kind <kind>', 'first kind (default: Order)')
    .addOption(
      new Option('--naming <names>', 'names of API groups: kubectl needs kubernetes, platform has neutral ones')
        .choices(['kubernetes', 'platform'])
        .default(undefined, 'kubernetes'),
    )
    .option('--package <version>', 'version of kindforge in package.json, or its path (default: this release)')
    .option('-y, --yes', 'ask nothing')
    .addHelpText(
      'after',
      `
Exit codes:
  0  the project was written
  1  files exist already, or a name cannot be used; nothing was written
  2  a flag is wrong, or a file cannot be written`,
    )
    .action(async (dir: string | undefined, flags: Flags) => {
      process.exitCode = exitCodes[await ending(dir, flags)];
    });
}

async function ending(dir: string | undefined, flags: Flags): Promise<Ending> {
  const { runInit } = await import('../init.js');
  try {
    return await runInit(dir, flags);
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}
