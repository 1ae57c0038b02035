/** `kindforge apply`: applies objects in files to a running server. */
import type { Command } from 'commander';
import { addServerFlags, gather, type ServerFlags, serverHelp } from '../objects/server-flags.js';

interface Flags extends ServerFlags {
  readonly filename: readonly string[];
  readonly fieldManager: string;
  readonly forceConflicts?: boolean;
  readonly dryRun?: boolean;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addApply(program: Command): void {
  addServerFlags(program.command('apply').description('apply objects in files to a running server'))
    .requiredOption(
      '-f, --filename <path>',
      'file, folder with its subfolders, or - for standard input; may be repeated',
      gather,
      [],
    )
    .option('--field-manager <name>', 'field manager that owns the applied fields', 'kindforge')
    .option('--force-conflicts', 'take over fields in conflict with other managers')
    .option('--dry-run', 'have the server check everything, and store nothing')
    .addHelpText('after', serverHelp)
    .action(async (flags: Flags, command: Command) => {
      if (flags.filename.length === 0) command.error('error: say what to apply with -f FILE, -f FOLDER, or -f -');
      const { runCommand } = await import('../objects/run-command.js');
      const { runApply } = await import('../objects/apply.js');
      await runCommand(flags, { verb: 'patch' }, ({ target, printing, tell }) =>
        runApply(target, { ...flags, files: flags.filename }, printing, (_document, error) => tell(error)),
      );
    });
}
