/** `kindforge watch`: prints changes of objects of a running server as they happen. */
import type { Command } from 'commander';
import type { Running } from '../objects/run-command.js';
import { addServerFlags, outputOption, type ServerFlags, serverHelp } from '../objects/server-flags.js';

interface Flags extends ServerFlags {
  readonly output: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly changesOnly?: boolean;
  readonly timeout?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addWatch(program: Command): void {
  addServerFlags(
    program
      .command('watch')
      .description('print changes of objects of a running server as they happen')
      .argument('<resource>', 'resource such as widgets, or resource/name')
      .argument('[name]', 'name of one object'),
  )
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-l, --selector <selector>', 'labels to select by, as in app=web,tier!=cache')
    .option('--field-selector <selector>', 'fields to select by, as in metadata.name=door')
    .option('--changes-only', 'leave out the objects that exist at the start')
    .option('--timeout <duration>', 'end after a while, as in 30s (default: when it is interrupted)')
    .addOption(outputOption())
    .addHelpText('after', serverHelp)
    .action(async (resource: string, name: string | undefined, flags: Flags, command: Command) => {
      const { watchEnd } = await import('../objects/server-flags.js');
      const end = await watchEnd(command, flags.timeout);
      const { runCommand } = await import('../objects/run-command.js');
      const { runWatch } = await import('../objects/watch.js');
      const words = name === undefined ? [resource] : [resource, name];
      const about = { verb: 'watch', resource: resource.split('/')[0] ?? resource };
      const { readOutput } = await import('../objects/output-format.js');
      const job = async ({ target, printing }: Running): Promise<boolean> => {
        await runWatch(target, { ...flags, ...end, words }, printing);
        return true;
      };
      await runCommand(flags, about, job, () => void readOutput(flags.output));
    });
}
