/** Runs the parts of the first stage of a Dockerfile that do not need a container engine, in a folder. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The result of a stage. */
export interface Stage {
  /** The folder that stands for the root of the image. */
  readonly image: string;
  /** The failed commands, with their output. */
  readonly failures: readonly string[];
}

/**
 * Copies the files that the first stage names, and runs its commands. Leaves out commands that install packages of the
 * distribution, and files that `.dockerignore` names.
 */
export function runStage(context: string): Stage {
  const image = join(context, 'image');
  const workdir = join(image, 'build');
  mkdirSync(workdir, { recursive: true });
  const ignored = new Set(['image', ...readFileSync(join(context, '.dockerignore'), 'utf8').trim().split('\n')]);
  const stages = readFileSync(join(context, 'Dockerfile'), 'utf8').split(/^(?=FROM )/m);
  const stage = stages.find((text) => text.startsWith('FROM ')) ?? '';
  const failures: string[] = [];
  for (const [, instruction, rest = ''] of stage.matchAll(/^(COPY|RUN) (.*)$/gm)) {
    if (instruction === 'COPY') copy(context, workdir, rest, ignored);
    else if (!rest.includes('apt-get')) {
      const command = rest.replaceAll(/(?<= )\/(?=bundle|data)/g, `${image}/`);
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: workdir, encoding: 'utf8' });
      if (status !== 0) failures.push(`${command}: ${stdout}${stderr}`);
    }
  }
  return { image, failures };
}

/** Copies the files of an instruction into the working folder; `*` stands for any number of names. */
function copy(context: string, workdir: string, names: string, ignored: ReadonlySet<string>): void {
  for (const pattern of names.split(' ').slice(0, -1)) {
    const found = pattern === '.' ? readdirSync(context) : matching(context, pattern);
    for (const name of found.filter((one) => !ignored.has(one))) {
      cpSync(join(context, name), join(workdir, basename(name)), { recursive: true });
    }
  }
}

const matching = (context: string, pattern: string): readonly string[] => {
  const wanted = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  return readdirSync(context).filter((name) => wanted.test(name));
};
