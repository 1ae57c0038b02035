/** The command as a build has it, made once for all tests of the same sources: it starts ten times faster than they do. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './shared.js';

/** Folders and files that a build is made of. */
const sources = [
  'bin',
  'bootstrap',
  'client',
  'controllers',
  'generated',
  'generator',
  'package-lock.json',
  'plugins',
  'runtime',
  'server',
  'strategies',
];

const builds = join(root, '.kindforge');

let known: string | undefined;

/** The file that Node.js is run with. */
export function builtCommand(): string {
  known ??= join(buildOf(stamp()), 'kindforge.cjs');
  return known;
}

/** The folder of the build with this stamp. Several processes may make it at once; the first one to be done wins. */
function buildOf(stamped: string): string {
  const folder = join(builds, `command-${stamped}`);
  if (existsSync(folder)) return folder;
  mkdirSync(builds, { recursive: true });
  for (const name of readdirSync(builds)) {
    if (/^command-[0-9a-f]+$/.test(name)) rmSync(join(builds, name), { recursive: true, force: true });
  }
  const making = `${folder}-${process.pid}`;
  execFileSync(process.execPath, ['--import', 'tsx', 'bin/build/build-command.ts', making], { cwd: root });
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Changes whenever a source does. */
function stamp(): string {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    const path = join(root, source);
    const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [''];
    for (const name of names) {
      const { size, mtimeMs } = statSync(join(path, name));
      hash.update(`${source}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
