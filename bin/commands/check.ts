/** `kindforge check`: reports every mistake in a folder of definitions. */
import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addCheck(program: Command): void {
  program
    .command('check')
    .description('check resource definitions and report every mistake')
    .option('--schemas <dir>', 'folder with the definitions', 'schemas')
    .addHelpText(
      'after',
      `
Each mistake is printed as <file>:<line>:<column> <code> <message>. See docs/diagnostics.md for the codes.

Exit codes:
  0  no errors (warnings are possible)
  1  a definition has errors or cannot be read
  2  a flag is wrong`,
    )
    .action(async ({ schemas }: { readonly schemas: string }) => {
      const { runCheck } = await import('../../generator/commands/run-check.js');
      process.exitCode = exitCodes[runCheck({ schemas })];
    });
}
