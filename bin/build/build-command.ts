/**
 * Builds the command into the folder that is named: one file with all that a start needs, and what V8 makes of it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import {
  isCompiledAhead,
  lateKindsFile,
  lateSchemasFile,
  lateTablesFile,
  programFile,
} from '../launch/load-program.js';
import { buildLateData, lateData } from './late-data-plugin.js';
import { buildLateKinds, lateKinds } from './late-kinds-plugin.js';
import { programPlugins } from './program-plugins.js';

/** Packages that starts of a server need, and those that only come as ES modules; all others stay outside. */
const bundled = new Set(['commander', 'db0', 'h3', 'jose', 'lmdb', 'unstorage']);

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(process.argv[2] ?? 'dist/bin');

const manifest: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: Object.keys(manifest.dependencies).filter((name) => !bundled.has(name)),
  minify: true,
  logLevel: 'warning',
};
/** Traces of errors name places in the sources by the map. */
const mapped: BuildOptions = { ...common, sourcemap: 'external', sourcesContent: false };

const begin = `(function (require, __filename, importModule, loadPart) {
const programUrl = require('node:url').pathToFileURL(__filename).href;`;

rmSync(folder, { recursive: true, force: true });
await build({
  ...mapped,
  entryPoints: ['bin/kindforge.ts'],
  format: 'cjs',
  outfile: join(folder, programFile),
  define: { 'import.meta.url': 'programUrl' },
  supported: { 'dynamic-import': false },
  plugins: [lateKinds, lateData, ...programPlugins],
  banner: { js: begin },
  footer: { js: '})' },
});
await buildLateKinds(folder, mapped);
await buildLateData(folder, common);
// To load an ES module, Node first loads what loads those, which takes as long as a tenth of a start.
await build({
  ...common,
  entryPoints: ['bin/launch.ts'],
  format: 'cjs',
  outfile: join(folder, 'kindforge.cjs'),
  define: { 'import.meta.dirname': '__dirname' },
});
const compileAhead = join(folder, 'compile-ahead.js');
await build({ ...common, entryPoints: ['bin/build/compile-ahead.ts'], format: 'esm', outfile: compileAhead });
copyFileSync(join(root, 'runtime/storage/etcd/etcd.proto'), join(folder, 'etcd.proto'));
execFileSync(process.execPath, [compileAhead], { cwd: folder, stdio: 'inherit' });
rmSync(compileAhead);
for (const file of [programFile, lateKindsFile, lateSchemasFile, lateTablesFile]) {
  if (!isCompiledAhead(folder, file))
    throw new Error(`${file}: V8 does not take the code of it that it compiled ahead`);
}
