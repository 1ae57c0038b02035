/** The package as users have it: the published files, in a test's own folder. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildOnce, currentConsole } from '../../bin/current-build.mjs';
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

/** Makes the package in a new folder. Tests of the same sources share one build of it. */
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
  const dist = join(folder, 'dist');
  cpSync(buildOnce('modules', sourcesOfModules(), buildModules), dist, { recursive: true });
  currentConsole();
  const built = join(root, 'packages/console/dist');
  cpSync(built, join(dist, 'console'), { recursive: true, filter: (path) => path !== join(built, 'stamp') });
  cpSync(dirname(builtCommand()), join(dist, 'bin'), { recursive: true });
}

/** Gives a project all packages that the checkout has installed, but not the package itself. */
export function linkModules(project: string): void {
  const modules = join(project, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'kindforge') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
}

/** Lists what the modules of the package are built from. */
export function sourcesOfModules(): readonly string[] {
  const { include }: { readonly include: readonly string[] } = JSON.parse(
    readFileSync(join(root, 'tsconfig.build.json'), 'utf8'),
  );
  return [...include, 'bin/build', 'package-lock.json', 'package.json', 'tsconfig.build.json', 'tsconfig.json'];
}

/** The last steps of the build, which make the console and the command. */
const laterSteps =
  ' && vite build packages/console --outDir ../../dist/console --emptyOutDir --logLevel error' +
  ' && tsx bin/build/build-command.ts dist/bin';

/** Builds the modules as `npm run build` does, but does not check types. */
function buildModules(folder: string): void {
  if (!manifest.scripts.build.endsWith(laterSteps)) throw new Error(`the build does not end with${laterSteps}`);
  const command = manifest.scripts.build
    .slice(0, -laterSteps.length)
    .replace('tsc -p', `tsc --noCheck --outDir ${folder} -p`)
    .replaceAll(/(?<= )dist\//g, `${folder}/`);
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  execFileSync('bash', ['-ec', command], { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } });
}
