/** `kindforge doctor`: looks for problems that keep Kindforge from working here. */
import { type Command, Option } from 'commander';
import { exitCodes } from '../exit-codes.js';
import { fromHere, fromProject, inProject, projectOf } from '../flags/project.js';

interface Flags {
  readonly project?: string;
  readonly schemas: string;
  readonly out: string;
  readonly data: string;
  readonly ports: string;
  readonly kubeconfig?: string;
  readonly server?: string;
  readonly output: 'text' | 'json';
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addDoctor(program: Command): void {
  inProject(program.command('doctor'))
    .description('look for problems that keep Kindforge from working here, and print what to do')
    .option('--schemas <dir>', 'folder with the definitions', 'schemas')
    .option('--out <dir>', 'folder with the generated code', 'generated')
    .option('--data <dir>', 'folder with the data of a server', '.kindforge/data')
    .option('--ports <ports>', 'ports that a server will listen on, comma-separated', '6443,8080')
    .option('--kubeconfig <file>', 'kubeconfig of a server (default: as for kindforge get)')
    .option('--server <url>', 'URL of a server, in place of a kubeconfig')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Exit codes:
  0  no problems (warnings are possible)
  1  there is a problem
  2  a flag is wrong`,
    )
    .action(async (_flags: Flags, command: Command) => {
      const { project: named } = command.opts<Flags>();
      // A check of its own reports mistakes in the configuration.
      const project = await projectOf(named).catch(() => undefined);
      fromProject(command, 'schemas', project?.schemas && fromHere(project.schemas));
      fromProject(command, 'out', project && fromHere(project.out));
      const { output, ports, ...flags } = command.opts<Flags>();
      const numbers = ports.split(',').map(Number);
      if (!numbers.every((port) => Number.isInteger(port) && port > 0 && port <= 65_535)) {
        command.error(`error: --ports ${ports}: must be port numbers, as in 6443,8080`);
      }
      const { runDoctor } = await import('../doctor/run-doctor.js');
      const { standardPrinting } = await import('../objects/printing.js');
      process.exitCode =
        exitCodes[
          await runDoctor({ ...flags, ports: numbers, emitters: project?.emitters ?? [] }, output, standardPrinting)
        ];
    });
}
