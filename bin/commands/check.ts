/** `kindforge check`: reports every mistake in a folder of definitions. */
import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.js';

/** Adds the command. What it needs is loaded only when it runs. */
export function addCheck(program: Command): void {
  program
    .command('check')
    .description('report every mistake in resource definitions')
    .option('--schemas <dir>', 'folder of the definitions', 'schemas')
    .addHelpText(
      'after',
      `
Mistakes are printed as file:line:column code message; docs/diagnostics.md explains each code.

Exit codes:
  0  no errors; there may be warnings
  1  definitions have errors, or cannot be read
  2  a flag is wrong`,
    )
    .action(async ({ schemas }: { readonly schemas: string }) => {
      const { runCheck } = await import('../../generator/commands/run-check.js');
      process.exitCode = exitCodes[runCheck({ schemas })];
    });
}
