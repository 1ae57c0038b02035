/** `kindforge bundle`: makes one file of a project and the server, which users copy to another machine. */
import type { Command } from 'commander';
import { type Ending, exitCodes } from '../exit-codes.js';
import { fromHere, inProject, messageFor, projectOf } from '../flags/project.js';
import type { Project } from '../project/project.js';

interface Flags {
  readonly out: string;
  readonly project?: string;
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addBundle(program: Command): void {
  inProject(
    program
      .command('bundle')
      .description('bundle the project and the server into one file that node runs without installed packages')
      .option('--out <dir>', 'folder of the bundle', 'bundle'),
  )
    .addHelpText(
      'after',
      `
Start it with node <dir>/server.cjs; flags and other commands follow the file. The folder also has the
definitions, and the native library of lmdb for this system. See docs/deploy.md.

Exit codes:
  0  the bundle was written
  1  a definition has errors, or breaks what was released; nothing was written
  2  the project is missing, or its code cannot be bundled`,
    )
    .action(async (flags: Flags) => {
      process.exitCode = exitCodes[await ending(flags)];
    });
}

async function ending({ out, project: path }: Flags): Promise<Ending> {
  try {
    const project = await projectOf(path);
    if (!project) {
      console.error(
        'kindforge: the working folder has no project: must have a kindforge.config.ts; write one with kindforge init',
      );
      return 'failed';
    }
    if ((await checked(project)) === 'refused') return 'refused';
    const { bundleFile, bundleProject } = await import('../project/bundle.js');
    const { files, bytes } = await bundleProject(project, out);
    for (const file of files) console.log(`${out}/${file}`);
    console.log(`\n${(bytes / 1e6).toFixed(1)} MB; start it with: node ${out}/${bundleFile}`);
    return 'done';
  } catch (error) {
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}

/** Checks the definitions as `kindforge check` does, because a bundle with mistakes would not start. */
async function checked(project: Project): Promise<Ending> {
  if (project.schemas === undefined) return 'done';
  const { openGate } = await import('../../generator/commands/open-gate.js');
  const { runCheck } = await import('../../generator/commands/run-check.js');
  const { followedVersions } = await import('../project/followed-versions.js');
  const schemas = fromHere(project.schemas);
  const gate = await openGate({ schemas });
  const follows = followedVersions(project);
  return runCheck({ schemas, gate: (loaded) => [...follows(loaded), ...(gate?.(loaded) ?? [])] });
}
