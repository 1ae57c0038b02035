/** Builds the command from the current sources, once per state of the sources, for `npm start` and all tests. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder of builds. It can be deleted at any time. */
export const builds = join(root, '.kindforge');

/** Folders and files that a build is made of. */
const sources = [
  'bin',
  'client',
  'contract.ts',
  'controllers',
  'generated',
  'generator',
  'package-lock.json',
  'plugins',
  'runtime',
  'server',
  'strategies',
];

/** Returns the file to run with Node.js. If it is not built yet, calls `onBuild` and builds it. */
export function currentBuild(onBuild = () => {}) {
  const folder = join(builds, `command-${stampOf(sources)}`);
  if (!existsSync(folder)) {
    onBuild();
    build(folder);
  }
  return join(folder, 'kindforge.cjs');
}

/** Builds into the folder, in the place of older builds. Several processes may do so at once; the first one to be done wins. */
function build(folder) {
  mkdirSync(builds, { recursive: true });
  for (const name of readdirSync(builds)) {
    if (/^command-[0-9a-f]+$/.test(name)) rmSync(join(builds, name), { recursive: true, force: true });
  }
  const making = `${folder}-${process.pid}`;
  execFileSync(process.execPath, ['--import', 'tsx', 'bin/build/build-command.ts', making], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Returns a text that changes whenever one of these files, or a file of these folders, does. */
export function stampOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const part of paths) {
    const path = join(root, part);
    const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [''];
    for (const name of names) {
      const { size, mtimeMs } = statSync(join(path, name));
      hash.update(`${part}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
