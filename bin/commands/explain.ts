/** `kindforge explain`: prints the fields of a kind, and what they hold. */
import { type Command, Option } from 'commander';
import { addServerFlags, type ServerFlags, serverHelp } from '../objects/server-flags.js';

interface Flags extends ServerFlags {
  readonly schemas?: string;
  readonly apiVersion?: string;
  readonly recursive?: boolean;
  readonly output: 'text' | 'json';
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addExplain(program: Command): void {
  addServerFlags(
    program
      .command('explain')
      .description('print the fields of a kind, and what they hold')
      .argument('<path>', 'resource and fields, as in widgets.spec.size'),
  )
    .option('--schemas <dir>', 'folder of definitions to read, in place of a running server')
    .option('--api-version <version>', 'version to explain, as in apps/v1 (default: the preferred one)')
    .option('--recursive', 'print the names and types of all fields below')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText('after', serverHelp)
    .action(async (path: string, flags: Flags) => {
      const { runExplain } = await import('../objects/run-explain.js');
      await runExplain(path, flags);
    });
}
