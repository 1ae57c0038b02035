/** `kindforge convert`: objects in files, in another version of their kind. */
import { type Command, Option } from 'commander';
import { exitCodes } from '../exit-codes.js';

/** The flags as they were given. */
export interface ConvertFlags {
  readonly outputVersion?: string;
  readonly output: string;
  readonly schemas?: string;
  readonly naming: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addConvert(program: Command): void {
  program
    .command('convert <file>')
    .description('print the objects of a file in another version of their kind; - for standard input')
    .option(
      '--output-version <version>',
      'as in networking.platform.io/v1; the preferred one of each kind where not given',
    )
    .addOption(new Option('-o, --output <format>', 'how to print them').choices(['yaml', 'json']).default('yaml'))
    .option('--schemas <dir>', 'folder of further definitions')
    .addOption(
      new Option('--naming <names>', 'the names of groups').choices(['platform', 'kubernetes']).default('platform'),
    )
    .addHelpText(
      'after',
      `
A file can hold several documents, and lists. Versions that are no longer served can be read and written, too.

Exit codes:
  0  all objects are printed
  1  an object cannot be converted, or the file is not YAML; nothing is printed
  2  a flag is wrong, or a file cannot be read`,
    )
    .action(async (file: string, flags: ConvertFlags) => {
      const { runConvert } = await import('../convert/run-convert.js');
      process.exitCode = exitCodes[await runConvert(file, flags)];
    });
}
