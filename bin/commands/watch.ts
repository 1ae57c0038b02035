/** `kindforge watch`: prints changes of objects of a running server as they happen. */
import { type Command, Option } from 'commander';
import { addServerFlags, type ServerFlags, serverHelp } from '../objects/server-flags.js';
import type { WatchRequest } from '../objects/watch.js';

interface Flags extends ServerFlags {
  readonly output: WatchRequest['output'];
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
      .argument('[name]', 'name of the one object that is meant'),
  )
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-l, --selector <selector>', 'labels to select by, as in app=web,tier!=cache')
    .option('--field-selector <selector>', 'fields to select by, as in metadata.name=door')
    .option('--changes-only', 'leave out the objects that are there at the start')
    .option('--timeout <duration>', 'end after a while, as in 30s (default: when it is interrupted)')
    .addOption(
      new Option('-o, --output <format>', 'output format').choices(['table', 'wide', 'json', 'name']).default('table'),
    )
    .addHelpText('after', serverHelp)
    .action(async (resource: string, name: string | undefined, flags: Flags, command: Command) => {
      const { readTime } = await import('../../server/text/durations.js');
      const timeout = flags.timeout === undefined ? undefined : readTime(flags.timeout);
      if (timeout !== undefined && !timeout.ok) command.error(`error: --timeout ${timeout.failure.message}`);
      const end = new AbortController();
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort());
      const { runCommand } = await import('../objects/run-command.js');
      const { runWatch } = await import('../objects/watch.js');
      const words = name === undefined ? [resource] : [resource, name];
      const about = { verb: 'watch', resource: resource.split('/')[0] ?? resource };
      await runCommand(flags, about, async ({ target, printing }) => {
        const onStart = (): void => {
          if (timeout?.ok) setTimeout(() => end.abort(), timeout.value).unref();
        };
        await runWatch(target, { ...flags, words, signal: end.signal, onStart }, printing);
        return true;
      });
    });
}
