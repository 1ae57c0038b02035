/** `kindforge delete`: deletes objects of a running server. */
import { type Command, Option } from 'commander';
import type { DeleteRequest } from '../objects/delete.js';
import { addServerFlags, gather, type ServerFlags, serverHelp } from '../objects/server-flags.js';

interface Flags extends ServerFlags {
  readonly filename: readonly string[];
  readonly selector?: string;
  readonly all?: boolean;
  readonly cascade: DeleteRequest['cascade'];
  readonly dryRun?: boolean;
  readonly ignoreNotFound?: boolean;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addDelete(program: Command): void {
  addServerFlags(
    program
      .command('delete')
      .description('delete objects of a running server')
      .argument('[resource]', 'resource such as widgets, or resource/name')
      .argument('[names...]', 'names of objects'),
  )
    .option('-f, --filename <path>', 'file or folder with the objects; may be repeated', gather, [])
    .option('-l, --selector <selector>', 'labels to select by, as in app=web')
    .option('--all', 'all objects of the resource in the namespace')
    .addOption(
      new Option('--cascade <how>', 'what to do with objects that the deleted ones own')
        .choices(['background', 'foreground', 'orphan'])
        .default('background'),
    )
    .option('--ignore-not-found', 'skip objects that do not exist')
    .option('--dry-run', 'have the server check everything, and delete nothing')
    .addHelpText('after', serverHelp)
    .action(async (resource: string | undefined, names: string[], flags: Flags, command: Command) => {
      if ((resource === undefined) === (flags.filename.length === 0)) {
        command.error('error: say what to delete: a resource and names, or files with -f');
      }
      const { runCommand } = await import('../objects/run-command.js');
      const { runDelete } = await import('../objects/delete.js');
      const words = resource === undefined ? [] : [resource, ...names];
      const about = {
        verb: 'delete',
        ...(resource === undefined ? {} : { resource: resource.split('/')[0] ?? resource }),
      };
      await runCommand(flags, about, ({ target, printing, tell }) =>
        runDelete(target, { ...flags, words, files: flags.filename }, printing, tell),
      );
    });
}
