/** Builds the command into a folder: the program in one file, its V8 code cache, and the scripts that start it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, transform } from 'esbuild';
import { escapeNonAscii } from './escape-non-ascii.js';
import { isCompiledAhead, programFile } from './program.js';

/** Packages that a server needs to start, and packages that have only ES modules. Others are not bundled. */
const bundled = new Set(['commander', 'db0', 'h3', 'jose', 'js-yaml', 're2js', 'srvx', 'unstorage', 'ws', 'yaml']);

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(process.argv[2] ?? 'dist/bin');

type Packages = Readonly<Record<string, string>>;

interface Manifest {
  readonly version: string;
  readonly engines: Packages;
  readonly dependencies: Packages;
  readonly peerDependencies: Packages;
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, engines, dependencies, peerDependencies } = manifest;
const packages = Object.keys({ ...dependencies, ...peerDependencies });
const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: packages.filter((name) => !bundled.has(name)),
  logLevel: 'warning',
};

removeFiles(folder);
// Only the program is minified, because each start reads it.
const { outputFiles } = await build({
  ...common,
  write: false,
  minifySyntax: true,
  entryPoints: ['bin/build/entry.ts'],
  define: {
    'import.meta.url': 'programUrl',
    formatSchemas: `{${['resource-definition', 'schema-node', 'type-library'].map(formatSchema).join()}}`,
    productManifest: JSON.stringify({ version, engines, peerDependencies }),
  },
  // Code that V8 compiled ahead cannot import in Node 20.
  supported: { 'dynamic-import': false },
});
// Names inside functions become short. Functions of modules keep theirs, so that stack traces name them.
const { code } = await transform(outputFiles.map(({ text }) => text).join(''), {
  minifyIdentifiers: true,
  minifyWhitespace: true,
  target: 'node20',
});
const head = "const programUrl=require('node:url').pathToFileURL(__filename).href;";
const program = `(function(require,__filename,module){${head}\n${code}})`;
writeFileSync(join(folder, programFile), escapeNonAscii(program));
// Files that the program reads from its own folder.
for (const path of ['etcd/etcd.proto', 'unstorage/import-module.cjs']) {
  copyFileSync(join(root, 'runtime/storage', path), join(folder, basename(path)));
}
const define = { 'import.meta.dirname': '__dirname' };
const compileAhead = join(folder, 'compile-ahead.cjs');
await build({ ...common, define, entryPoints: ['bin/build/launch.ts'], outfile: join(folder, 'kindforge.cjs') });
await build({ ...common, entryPoints: ['bin/envtest/etcd.ts'], outfile: join(folder, 'etcd.cjs') });
await build({ ...common, define, entryPoints: ['bin/build/compile-ahead.ts'], outfile: compileAhead });
execFileSync(process.execPath, [compileAhead], { cwd: folder, stdio: 'inherit' });
rmSync(compileAhead);
if (!isCompiledAhead(folder)) throw new Error('V8 rejects its own code cache');

/** Returns a schema of the definition format as a member of an object. */
function formatSchema(name: string): string {
  const file = `${name}.schema.json`;
  return `${JSON.stringify(file)}:${JSON.stringify(JSON.parse(readFileSync(join(root, 'schemas/meta', file), 'utf8')))}`;
}

/** Removes the files in a folder. Keeps its subfolders, which contain modules of the package. */
function removeFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) rmSync(join(folder, entry.name));
}
