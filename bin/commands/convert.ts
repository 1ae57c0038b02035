/** `kindforge convert`: prints the objects of a file in another version of their kind. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromProject, inProject, projectOf } from '../flags/project.js';

interface Flags {
  readonly outputVersion?: string;
  readonly output: string;
  readonly schemas?: string;
  readonly naming: string;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addConvert(program: Command): void {
  inProject(
    program
      .command('convert <file>')
      .description('convert the objects of a file to another version and print them; - reads standard input'),
  )
    .option(
      '--output-version <version>',
      'version to print, such as networking.platform.io/v1 (default: the preferred version of each kind)',
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(['yaml', 'json']).default('yaml'))
    .option('--schemas <dir>', 'folder with your own definitions, as for serve')
    .addOption(
      new Option('--naming <names>', 'names of API groups').choices(['platform', 'kubernetes']).default('platform'),
    )
    .addHelpText(
      'after',
      `
The file may hold several YAML documents and lists. Versions that are no longer served can be read and printed too.

Exit codes:
  0  all objects were printed
  1  an object cannot be converted, or the file is not YAML; nothing was printed
  2  a flag is wrong, or the file cannot be read`,
    )
    .action(async (file: string, _flags: Flags, command: Command) => {
      process.exitCode = exitCodes[await runConvert(file, command)];
    });
}

/** Prints all converted objects on standard output, or none; mistakes go to standard error. */
async function runConvert(file: string, command: Command): Promise<Ending> {
  const { convertFile } = await import('../../server/webhooks/convert-file.js');
  const { explainFailure } = await import('../flags/explain-failure.js');
  const { readNaming } = await import('../flags/serve-options.js');
  try {
    const project = await projectOf(command.opts<Flags>().project);
    fromProject(command, 'schemas', project?.schemas);
    fromProject(command, 'naming', project?.naming);
    const flags = command.opts<Flags>();
    const converted = await convertFile({
      name: file === '-' ? 'standard input' : file,
      bytes: readFileSync(file === '-' ? 0 : file),
      naming: readNaming(flags.naming),
      schemas: flags.schemas,
      apiVersion: flags.outputVersion,
      format: flags.output === 'json' ? 'json' : 'yaml',
    });
    for (const warning of converted.warnings) console.error(`kindforge: ${warning}`);
    if (converted.ok) process.stdout.write(converted.text);
    else for (const problem of converted.problems) console.error(`kindforge: ${problem}`);
    return converted.ok ? 'done' : 'refused';
  } catch (error) {
    const { ending, message } = explainFailure(error);
    console.error(`kindforge: ${message}`);
    return ending;
  }
}
