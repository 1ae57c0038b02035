/** `kindforge get`: prints objects of a running server. */
import type { Command } from 'commander';
import { addServerFlags, outputOption, type ServerFlags, serverHelp } from '../objects/server-flags.js';

interface Flags extends ServerFlags {
  readonly output: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly headers: boolean;
  readonly list?: boolean;
  readonly sortBy?: string;
  readonly watch?: boolean;
  readonly timeout?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addGet(program: Command): void {
  addServerFlags(
    program
      .command('get')
      .description('print objects of a running server')
      .argument('[resource]', 'resource such as widgets, wg or widgets.shop.example.com; several with commas between')
      .argument('[names...]', 'names of objects, all by default; or any number of resource/name'),
  )
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-l, --selector <selector>', 'labels to select by, as in app=web,tier!=cache')
    .option('--field-selector <selector>', 'fields to select by, as in metadata.name=door')
    .option('--no-headers', 'leave out the line with the names of columns')
    .option('--list', 'print the resources that the server has')
    .option('--sort-by <path>', 'path of a value to sort by, as in .metadata.name')
    .option('-w, --watch', 'print objects again as they change')
    .option('--timeout <duration>', 'end --watch after a while, as in 30s (default: when it is interrupted)')
    .addOption(outputOption())
    .addHelpText('after', serverHelp)
    .action(async (resource: string | undefined, names: string[], flags: Flags, command: Command) => {
      if (resource === undefined && flags.list !== true) {
        command.error(
          'error: name a resource, as in kindforge get namespaces; kindforge get --list prints what there is',
        );
      }
      const { watch, timeout, ...rest } = flags;
      if (timeout !== undefined && !watch) command.error('error: --timeout is for --watch');
      const end = watch ? await (await import('../objects/server-flags.js')).watchEnd(command, timeout) : undefined;
      const { runCommand } = await import('../objects/run-command.js');
      const { runGet } = await import('../objects/get.js');
      const about = {
        verb: 'get',
        ...(resource === undefined ? {} : { resource: resource.split('/')[0] ?? resource }),
      };
      const request = { ...rest, ...(end && { watch: end }), words: [resource ?? '', ...names] };
      const { readOutput } = await import('../objects/output-format.js');
      await runCommand(
        flags,
        about,
        ({ target, printing, tell }) => runGet(target, request, { printing, tell }),
        () => void readOutput(flags.output),
      );
    });
}
