/** `kindforge import`: makes definitions from what a server publishes about its API. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, fromProject, inProject, messageFor, projectOf } from '../flags/project.js';

interface Target {
  readonly out: string;
  readonly project?: string;
  readonly force?: boolean;
}

interface CrdFlags extends Target {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

interface OpenApiFlags extends Target {
  readonly groups?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

const exits = `
Exit codes:
  0  the definitions were written
  1  the document has errors, or files exist and --force was not given; nothing was written
  2  a flag is wrong, the server cannot be reached, or a file cannot be read or written`;

/** Adds the commands. What they need is loaded only when they run. */
export function addImport(program: Command): void {
  const command = program.command('import').description('write definitions from an existing API');
  withTarget(
    command
      .command('openapi [source]')
      .description('write definitions from an OpenAPI document (version 2 or 3): a file, a URL or a server'),
  )
    .option('--groups <names>', 'comma-separated API groups to import; core is the core group (default: all)')
    .option(
      '--kubeconfig <file>',
      'kubeconfig of the server; [source] is then a path on it, or left out to import everything',
    )
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .addHelpText(
      'after',
      `${exits}

From a server, the command reads /openapi/v3 (or /openapi/v2 if it has none) and the discovery documents.`,
    )
    .action(async (source: string | undefined, flags: OpenApiFlags, self: Command) => {
      checkSource(source, flags, self);
      const { runImportOpenApi } = await import('../../generator/commands/run-import.js');
      process.exitCode = exitCodes[await into(self, (out) => runImportOpenApi(source ?? '', { ...flags, out }))];
    });
  withTarget(command.command('crds').description('write the CustomResourceDefinitions of a running server to files'))
    .option('--kubeconfig <file>', 'kubeconfig of the server')
    .option('--context <name>', 'context of the kubeconfig (default: its current context)')
    .option('--server <url>', 'URL of a server that asks for no credentials; use it in place of --kubeconfig')
    .addHelpText('after', exits)
    .action(async (flags: CrdFlags, self: Command) => {
      if ((flags.kubeconfig === undefined) === (flags.server === undefined)) {
        self.error('give either --kubeconfig or --server');
      }
      if (flags.server !== undefined && flags.context !== undefined) self.error('--context needs --kubeconfig');
      const { runImportCustomResources } = await import('../../generator/commands/run-import.js');
      process.exitCode = exitCodes[await into(self, (out) => runImportCustomResources({ ...flags, out }))];
    });
  for (const each of command.commands) each.exitOverride();
}

/** Runs an import into the folder that the flags name, or into the project's folder of definitions. */
async function into(command: Command, run: (out: string) => Promise<Ending>): Promise<Ending> {
  try {
    const project = await projectOf(command.opts<Target>().project);
    fromProject(command, 'out', project?.schemas && fromHere(project.schemas));
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
  return run(command.opts<Target>().out);
}

function withTarget(command: Command): Command {
  return inProject(command)
    .option('--out <dir>', 'folder to write the definitions to', 'schemas')
    .option('--force', 'overwrite existing files');
}

/** Checks that credentials come with a path, because the command sends them to their own server only. */
function checkSource(source: string | undefined, { kubeconfig, context }: OpenApiFlags, self: Command): void {
  if (kubeconfig === undefined && source === undefined)
    self.error('a source is missing; give a file, a URL, or --kubeconfig');
  if (kubeconfig === undefined && context !== undefined) self.error('--context needs --kubeconfig');
  if (kubeconfig !== undefined && source !== undefined && !source.startsWith('/')) {
    self.error('with --kubeconfig, the source must be a path on its server, such as /openapi/v3');
  }
}
