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
    .option('--schemas <dir>', 'folder of the definitions', 'schemas')
    .option('--out <dir>', 'folder to write', 'generated')
    .option('--check', 'write nothing; list the files that differ from what would be written')
    .option('--watch', 'go on, and generate again what changes')
    .addHelpText(
      'after',
      `
Exit codes:
  0  everything is generated; with --check, nothing differs
  1  definitions have errors or cannot be read, or with --check a file differs
  2  a flag is wrong, or the output cannot be written`,
    )
    .action(async (flags: Flags, command: Command) => {
      if (flags.check === true && flags.watch === true) command.error('--check and --watch exclude each other');
      const { runGenerate } = await import('../../generator/commands/run-generate.js');
      process.exitCode = exitCodes[await runGenerate(flags)];
    });
}
