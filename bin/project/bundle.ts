/** Bundles a project: the server, the configuration and its code in one file, with the definitions beside it. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, BuildOptions, Plugin } from 'esbuild';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import { findConsole } from '../../server/console/find-console.js';
import { readManifest } from '../../server/kinds.js';
import { sourceOf } from './load/read-parts.js';
import { bundledPages, bundledSchemas, type Project, ProjectError } from './project.js';
import { hasBuiltPages } from './start-options.js';

/** The file that Node starts. */
export const bundleFile = 'server.cjs';

/** The native library of lmdb, beside that file. */
const nativeFile = 'lmdb.node';

/** The folder of the console's pages. */
const consoleFolder = 'console';

/** Files that the program reads beside itself. */
const besideProgram: readonly string[] = ['etcd.proto', 'import-module.cjs'];

/** All that a bundle may have. */
const bundled: readonly string[] = [
  ...[bundledSchemas, bundledPages, consoleFolder],
  ...[bundleFile, nativeFile, ...besideProgram],
];

/** Packages of commands that a bundle does not need. */
const outside: readonly string[] = ['fast-check', 'jiti', 'openapi3-ts', 'ts-morph'];

export interface Bundle {
  /** The written files and folders, relative to the folder of the bundle. */
  readonly files: readonly string[];
  /** The size of these files and folders. */
  readonly bytes: number;
}

/**
 * Writes the bundle of a project into a folder, in place of an earlier bundle. Keeps other files there, such as the data
 * of a server that ran from the folder. Rejects with a `ProjectError` if the page is not built, if esbuild is not
 * installed, if the code cannot be bundled, or if the folder has files but no bundle. Then nothing has changed.
 */
export async function bundleProject(project: Project, folder: string): Promise<Bundle> {
  if (project.static !== undefined && !hasBuiltPages(project)) {
    throw new ProjectError(`static: ${relative('', project.static)} has no index.html; build the page first`);
  }
  const esbuild = loadEsbuild(project.directory);
  if (!isFree(folder) && !hasBundle(folder)) {
    throw new ProjectError(`${relative('', folder)} must be empty or hold a bundle; name another folder with --out`);
  }
  const program = programFile();
  const { outputFiles } = await esbuild.build(buildOptions(project, program)).catch((error: unknown) => {
    throw new ProjectError(describe(error, project.directory), { cause: error });
  });
  mkdirSync(folder, { recursive: true });
  // A server that runs from the folder keeps using the removed files until it ends.
  for (const name of bundled) rmSync(join(folder, name), { recursive: true, force: true });
  for (const { contents } of outputFiles) writeFileSync(join(folder, bundleFile), contents);
  copyFileSync(nativeLibrary(program), join(folder, nativeFile));
  for (const name of besideProgram) copyFileSync(join(dirname(program), name), join(folder, name));
  if (project.schemas !== undefined) cpSync(project.schemas, join(folder, bundledSchemas), { recursive: true });
  if (project.static !== undefined) cpSync(project.static, join(folder, bundledPages), { recursive: true });
  copyConsole(folder);
  const files = bundled.filter((name) => existsSync(join(folder, name)));
  return { files: files.toSorted(), bytes: files.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0) };
}

/** Returns the size of a file, or of all files in a folder. */
function sizeOf(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

const isFree = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/** Checks for all files that every bundle has, because a project may have a `server.cjs` of its own. */
const hasBundle = (folder: string): boolean =>
  [bundleFile, nativeFile, ...besideProgram].every((name) => existsSync(join(folder, name)));

/** Copies the console into the bundle, if it is built. In a checkout, it may not be. */
function copyConsole(folder: string): void {
  const built = findConsole();
  if (existsSync(join(built, 'index.html'))) cpSync(built, join(folder, consoleFolder), { recursive: true });
}

type Esbuild = Pick<typeof import('esbuild'), 'build'>;

/** Loads the project's own esbuild. Kindforge does not install it, because it takes ten megabytes. */
function loadEsbuild(directory: string): Esbuild {
  for (const from of [join(directory, 'package.json'), fileURLToPath(import.meta.url)]) {
    try {
      const esbuild: Esbuild = createRequire(from)('esbuild');
      return esbuild;
    } catch {
      // Try the next place.
    }
  }
  throw new ProjectError('esbuild is not installed, and bundles are made with it: npm install --save-dev esbuild');
}

/** Returns the program of the running build. If the sources run, returns the program of their build. */
function programFile(): string {
  const own = fileURLToPath(import.meta.url);
  const file = basename(own) === 'program.cjs' ? own : join(dirname(own), '../../dist/bin/program.cjs');
  if (existsSync(file)) return file;
  throw new ProjectError(`${file} is not there, and bundles are made of it: npm run build`);
}

/**
 * Finds the library that lmdb loads here. A library for all releases of Node comes before a library for this release.
 */
function nativeLibrary(program: string): string {
  const lmdb = createRequire(createRequire(program).resolve('lmdb'));
  const finder: { readonly path: (folder: string) => string } = lmdb('node-gyp-build-optional-packages');
  const file = finder.path(dirname(dirname(lmdb.resolve('lmdb'))));
  const forAll = file.replace(/\.abi\d+\./, '.napi.');
  return existsSync(forAll) ? forAll : file;
}

function buildOptions(project: Project, program: string): BuildOptions & { readonly write: false } {
  const has = createRequire(join(project.directory, 'package.json'));
  // Packages for etcd, PostgreSQL and traces are bundled if the project has them.
  const missing = Object.keys(readManifest().peerDependencies ?? {}).filter((name) => !resolves(has, name));
  return {
    stdin: { contents: entryOf(project), resolveDir: project.directory, sourcefile: 'bundle.ts', loader: 'ts' },
    absWorkingDir: project.directory,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    supported: { 'dynamic-import': false },
    external: [...outside, ...missing],
    plugins: [withProgram(program), withNativeLibrary],
    logLevel: 'silent',
  };
}

function resolves(require: NodeJS.Require, name: string): boolean {
  try {
    return require.resolve(name) !== '';
  } catch {
    return false;
  }
}

/**
 * Prints the first module of the bundle. It imports the configuration, and the modules that the configuration names by
 * paths.
 */
function entryOf(project: Project): string {
  const { file, directory, schemas, static: pages } = project;
  const parts = [project.handlers, project.admissionPlugins, project.authenticators, project.authorizers];
  const named = [...parts, project.controllers].flat().flatMap((part) => sourceOf(part) ?? []);
  const load = (path: string): string => `() => import(${JSON.stringify(path)})`;
  const modules = [...new Set(named)].map((path) => `${JSON.stringify(relative(directory, path))}: ${load(path)}`);
  const config = file.endsWith('.yaml')
    ? `async () => ({ default: ${JSON.stringify(parseYaml(readFileSync(file, 'utf8')).documents[0] ?? {})} })`
    : load(file);
  return `import { runBundled } from '${programName}';
runBundled({
  directory: __dirname,
  config: ${config},
  modules: { ${modules.join(', ')} },
  hasSchemas: ${schemas !== undefined},
  hasPages: ${pages !== undefined},
});
`;
}

/** The name with which the bundle imports the program. */
const programName = 'kindforge-program';

/** Bundles the program of the build, and maps imports of its contract to it, as without a bundle. */
const withProgram = (program: string): Plugin => ({
  name: programName,
  setup({ onLoad, onResolve }) {
    const namespace = programName;
    onResolve({ filter: /^kindforge-program$/ }, () => ({ path: program, namespace }));
    onResolve({ filter: /^kindforge\/(config|contract)$/ }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents:
        path === program ? programText(program) : `module.exports = require('${programName}').ownModules['${path}'];`,
      resolveDir: dirname(program),
    }));
  },
});

/** Returns the program without the function around it. Its parameter `require` would hide packages from esbuild. */
function programText(program: string): string {
  const text = readFileSync(program, 'utf8');
  return text.slice(text.indexOf('const programUrl'), text.lastIndexOf('})'));
}

/** Makes lmdb load its native library from the folder of the bundle. */
const withNativeLibrary: Plugin = {
  name: 'native-library',
  setup({ onLoad, onResolve }) {
    const namespace = 'native-library';
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /./, namespace }, () => ({
      contents: `module.exports = () => require(require('node:path').join(__dirname, '${nativeFile}'));`,
    }));
  },
};

/** Describes why esbuild failed: one line for each mistake, with its place. */
function describe(error: unknown, directory: string): string {
  if (!isBuildFailure(error)) return `the project cannot be bundled: ${String(error)}`;
  const lines = error.errors.map(({ location, text }) => {
    if (!location) return text;
    return `${relative('', join(directory, location.file))}:${location.line}:${location.column + 1}: ${text}`;
  });
  return ['the project cannot be bundled', ...lines].join('\n');
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);
