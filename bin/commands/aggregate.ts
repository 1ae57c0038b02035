/** `kindforge aggregate`: prints the objects that a cluster needs to run the server behind its aggregation layer. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, fromProject, inProject, projectOf } from '../flags/project.js';
import type { Project } from '../project/project.js';

interface Flags {
  readonly manifests?: boolean;
  readonly schemas: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly image?: string;
  readonly caFile?: string;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addAggregate(program: Command): void {
  inProject(
    program.command('aggregate').description('print what a cluster needs to run the server behind its API server'),
  )
    .option('--manifests', 'print the objects, in YAML for kubectl apply')
    .option('--schemas <dir>', 'folder with your definitions', 'schemas')
    .option('--name <name>', 'name of the objects (default: the folder of the project)')
    .option(
      '--namespace <namespace>',
      'namespace of the server; the command prints it, too (default: default, which exists)',
    )
    .option('--image <image>', 'image of the server (default: <name>:latest)')
    .option(
      '--ca-file <file>',
      'PEM authority of the certificate in your Secret <name>-tls; the command then prints no Secret',
    )
    .addHelpText(
      'after',
      `
The server in the image runs with --aggregated. Without --ca-file, the command makes a certificate for one year
and prints it with its private key: keep the output secret, and run the command again within the year.
See docs/aggregation.md.

Exit codes:
  0  the objects are printed
  1  a definition has errors
  2  a flag is wrong, or the project does not use the names of Kubernetes`,
    )
    .action(async (_flags: Flags, command: Command) => {
      process.exitCode = exitCodes[await ending(command)];
    });
}

async function ending(command: Command): Promise<Ending> {
  try {
    const project = await projectOf(command.opts<Flags>().project);
    fromProject(command, 'schemas', project?.schemas && fromHere(project.schemas));
    const flags = command.opts<Flags>();
    const problem = problemOf(flags, project);
    if (problem !== undefined) {
      console.error(`kindforge: ${problem}`);
      return 'failed';
    }
    const { usualNames } = await import('../project/new-sources.js');
    const { printAggregated } = await import('../../server/aggregated/print-manifests.js');
    const { schemas, name = usualNames(basename(project?.directory ?? process.cwd())).project } = flags;
    const { namespace = 'default', image = `${name}:latest`, caFile: authorityFile } = flags;
    const withNamespace = namespace !== 'default' && !namespace.startsWith('kube-');
    process.stdout.write(await printAggregated({ schemas, name, namespace, withNamespace, image, authorityFile }));
    return 'done';
  } catch (error) {
    const { explainFailure } = await import('../flags/explain-failure.js');
    const { ending: end, message } = explainFailure(error);
    console.error(`kindforge: ${message}`);
    return end;
  }
}

function problemOf({ manifests }: Flags, project: Project | undefined): string | undefined {
  if (!manifests) return 'nothing to print; add --manifests';
  if (!project || project.naming === 'kubernetes') return undefined;
  return `${fromHere(project.file)} has naming: platform, and clusters know the names of Kubernetes only; set naming: kubernetes`;
}
