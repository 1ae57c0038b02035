/**
 * Removes from a build what the package does not publish. The rest is the modules that the entry points reach, the
 * files that these modules read, and the docstrings in declarations, which editors show.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { withoutDocstrings, withoutHead } from './docstrings.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(process.argv[2] ?? 'dist');

/** Modules, and declarations of types. */
type Extension = '.js' | '.d.ts';

const manifest: { readonly exports: Readonly<Record<string, string | { readonly default: string }>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const doors = Object.values(manifest.exports).flatMap((door) => (typeof door === 'string' ? [] : [door.default]));

/** Files that modules read at run time. The compiler does not copy them. */
const read = ['runtime/storage/etcd/etcd.proto', 'runtime/storage/unstorage/import-module.cjs'];
for (const file of read) copyFileSync(join(root, file), join(folder, file));

const kept = new Set([...reached('.js'), ...reached('.d.ts')]);
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const file = join(folder, name);
  if (!/\.(js|d\.ts|map)$/.test(name)) continue;
  if (!kept.has(file)) rmSync(file);
  else writeFileSync(file, (name.endsWith('.js') ? withoutDocstrings : withoutHead)(readFileSync(file, 'utf8')));
}

/** Returns the files of one extension that the entry points import, directly or not. Throws if one is not there. */
function reached(extension: Extension): ReadonlySet<string> {
  const found = new Set<string>();
  const open = doors.map((door) => join(folder, relative('dist', door).replace(/\.js$/, extension)));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    if (!existsSync(file)) throw new Error(`the build lacks ${relative(folder, file)}`);
    found.add(file);
    open.push(...importsOf(file, extension));
  }
  return found;
}

function importsOf(file: string, extension: Extension): string[] {
  // Parses the text, because the generator's modules also contain imports in strings.
  const text = readFileSync(file, 'utf8');
  const named = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  return [...named, ...exportedFrom(text)].flatMap((name) =>
    name.startsWith('.') ? [join(dirname(file), name.replace(/\.js$/, extension))] : [],
  );
}

/** Lists the modules that a module exports from with `* as`, because `preProcessFile` misses some of them. */
function exportedFrom(text: string): string[] {
  if (!/\bexport (?:type )?\* as /.test(text)) return [];
  return ts.createSourceFile('module.ts', text, ts.ScriptTarget.ES2022).statements.flatMap((statement) => {
    const from = ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
    return from && ts.isStringLiteral(from) ? [from.text] : [];
  });
}
