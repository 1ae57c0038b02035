/** `kindforge import`: makes definitions of what a server says about its API. */
import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.js';

interface Target {
  readonly out: string;
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

/** Credentials go to no other server than their own, so with them a source is a path. */
function checkSource(source: string | undefined, { kubeconfig, context }: OpenApiFlags, self: Command): void {
  if (kubeconfig === undefined && source === undefined) self.error('say a source, or --kubeconfig');
  if (kubeconfig === undefined && context !== undefined) self.error('--context is for --kubeconfig');
  if (kubeconfig !== undefined && source !== undefined && !source.startsWith('/')) {
    self.error('with --kubeconfig the source is a path on its server, such as /openapi/v3');
  }
}

const exits = `
Exit codes:
  0  the definitions are written
  1  the document is wrong, or files exist and --force was not given; nothing is written
  2  a flag is wrong, the server cannot be asked, or a file cannot be read or written`;

/** Adds the commands. What they need is loaded only when they run. */
export function addImport(program: Command): void {
  const command = program.command('import').description('make definitions of an API that there is already');
  withTarget(
    command
      .command('openapi [source]')
      .description('from an OpenAPI document, version 2 or 3: a file, a URL, or a server'),
  )
    .option('--groups <names>', 'only resources of these groups, with commas between; core for the core group')
    .option('--kubeconfig <file>', 'how to reach a server; <source> is a path there then, or left out for all it has')
    .option('--context <name>', 'context of the kubeconfig; its current one where not given')
    .addHelpText(
      'after',
      `${exits}

A server is asked for /openapi/v3, or else /openapi/v2, and for its discovery documents.`,
    )
    .action(async (source: string | undefined, flags: OpenApiFlags, self: Command) => {
      checkSource(source, flags, self);
      const { runImportOpenApi } = await import('../../generator/commands/run-import.js');
      process.exitCode = exitCodes[await runImportOpenApi(source ?? '', flags)];
    });
  withTarget(command.command('crds').description('the CustomResourceDefinitions of a live server, as files'))
    .option('--kubeconfig <file>', 'how to reach the server')
    .option('--context <name>', 'context of the kubeconfig; its current one where not given')
    .option('--server <url>', 'in place of a kubeconfig: the address of a server that asks for no credentials')
    .addHelpText('after', exits)
    .action(async (flags: CrdFlags, self: Command) => {
      if ((flags.kubeconfig === undefined) === (flags.server === undefined)) {
        self.error('say either --kubeconfig or --server');
      }
      if (flags.server !== undefined && flags.context !== undefined) self.error('--context is for --kubeconfig');
      const { runImportCustomResources } = await import('../../generator/commands/run-import.js');
      process.exitCode = exitCodes[await runImportCustomResources(flags)];
    });
  for (const each of command.commands) each.exitOverride();
}

function withTarget(command: Command): Command {
  return command
    .option('--out <dir>', 'folder to write the definitions to', 'schemas')
    .option('--force', 'overwrite files that exist');
}
