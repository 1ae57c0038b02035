/** `kindforge generate`: writes the code of a folder of definitions. */
import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.js';

interface Flags {
  readonly schemas: string;
  readonly out: string;
  readonly check?: boolean;
  readonly watch?: boolean;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addGenerate(program: Command): void {
  program
    .command('generate')
    .description('generate code from resource definitions')
    .option('--schemas <dir>', 'folder with the definitions', 'schemas')
    .option('--out <dir>', 'folder to write the code to', 'generated')
    .option('--check', 'write nothing; list the files that are out of date')
    .option('--watch', 'keep running and generate again when a definition changes')
    .addHelpText(
      'after',
      `
Exit codes:
  0  the code was generated; with --check: every file is up to date
  1  a definition has errors or cannot be read; with --check: a file is out of date
  2  a flag is wrong, or the output cannot be written`,
    )
    .action(async (flags: Flags, command: Command) => {
      if (flags.check === true && flags.watch === true)
        command.error('--check and --watch cannot be used together; leave one out');
      const { runGenerate } = await import('../../generator/commands/run-generate.js');
      process.exitCode = exitCodes[await runGenerate(flags)];
    });
}
