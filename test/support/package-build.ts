/** The package as users have it: the published files, built into a test's own folder. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtCommand } from './built-command.js';
import { root } from './shared.js';

export interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly files: readonly string[];
  readonly scripts: { readonly build: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Builds the package into a new folder. */
export function buildPackage(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of [
    'package.json',
    'README.md',
    'LICENSE',
    ...manifest.files.filter((file) => !file.includes('dist')),
  ]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  // Comes last, because the build runs its own output.
  build(join(folder, 'dist'));
}

/** Gives a project all packages that the checkout has installed, but not the package itself. */
export function linkModules(project: string): void {
  const modules = join(project, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'kindforge') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
}

/** The last step of the build, which makes the command. */
const commandStep = ' && tsx bin/build/build-command.ts dist/bin';

/** Builds as `npm run build` does, but into a test's folder. It does not check types, and copies the command. */
function build(folder: string): void {
  if (!manifest.scripts.build.endsWith(commandStep)) throw new Error(`the build does not end with${commandStep}`);
  const flags = `--noCheck --outDir ${folder}`;
  const command = manifest.scripts.build
    .slice(0, -commandStep.length)
    .replace('tsc -p', `tsc ${flags} -p`)
    .replaceAll(/(?<=[ =])(\.\.\/\.\.\/)?dist\//g, `${folder}/`);
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  execFileSync('bash', ['-ec', command], { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } });
  cpSync(dirname(builtCommand()), join(folder, 'bin'), { recursive: true });
}
