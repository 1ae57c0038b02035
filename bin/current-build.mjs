/** Builds the command from the current sources, once per state of the sources, for `npm start` and all tests. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder of builds. It can be deleted at any time. */
export const builds = join(root, '.kindforge');

/** The sources of a build. */
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
  const folder = buildOnce('command', sources, (making) => {
    onBuild();
    execFileSync(process.execPath, ['--import', 'tsx', 'bin/build/build-command.ts', making], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
  return join(folder, 'kindforge.cjs');
}

/**
 * Returns the folder of a build of these sources. If it is not there, builds it in place of older builds of the same
 * name. Several processes may do so at once; the first to finish wins.
 */
export function buildOnce(name, paths, build) {
  const folder = join(builds, `${name}-${stampOf(paths)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(builds, { recursive: true });
  for (const old of readdirSync(builds)) {
    if (old.startsWith(`${name}-`) && /-[0-9a-f]{16}$/.test(old))
      rmSync(join(builds, old), { recursive: true, force: true });
  }
  const making = `${folder}-${process.pid}`;
  build(making);
  publish(making, folder);
  return folder;
}

/** Moves a new build to its folder. Another process may have done so first. */
function publish(making, folder) {
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Folders and files of the console's build. */
const consoleSources = [
  'client',
  'package-lock.json',
  'packages/console/build',
  'packages/console/index.html',
  'packages/console/src',
  'packages/console/vite.config.ts',
  'plugins',
  'runtime',
  'server/access',
];

/** The console of a checkout, as its server serves it. */
const consoleFolder = join(root, 'packages/console/dist');
const isCurrent = (stamp) =>
  existsSync(join(consoleFolder, 'stamp')) && readFileSync(join(consoleFolder, 'stamp'), 'utf8') === stamp;
// In the mode of tests, Vite would build for development: the result is larger and slower.
const forUsers = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_ENV: 'production' } };

/** Builds the console in a process of its own if its sources have changed. It continues if this process ends. */
export function buildConsole() {
  if (isCurrent(stampOf(consoleSources))) return;
  spawn(process.execPath, [join(root, 'bin/build-console.mjs')], forUsers).unref();
}

/** Builds the console if its sources have changed, and waits for it. Several processes may do so at once. */
export function currentConsole() {
  const stamp = stampOf(consoleSources);
  if (isCurrent(stamp)) return;
  const making = join(builds, `console-${process.pid}`);
  const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'packages/console', '--logLevel', 'error'];
  execFileSync(process.execPath, [...vite, '--outDir', making, '--emptyOutDir'], forUsers);
  writeFileSync(join(making, 'stamp'), stamp);
  // Another process may fill the folder meanwhile.
  if (!isCurrent(stamp)) rmSync(consoleFolder, { recursive: true, force: true, maxRetries: 3 });
  publish(making, consoleFolder);
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
