/** Imports modules of a project: TypeScript by jiti, which needs no build; JavaScript by Node. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Jiti } from 'jiti';
import * as contract from '../../../contract.js';
import { importModule } from '../../../runtime/storage/unstorage/import-factory.js';
import { defineConfig } from '../project.js';
import { firstSyntaxError, placeAt } from './source-place.js';

/** Imports the modules of a project for one load. Runs a module once, even if several others import it. */
export interface Importer {
  /**
   * Resolves to the default export of the module at an absolute path, or to all exports of CommonJS. Rejects like
   * `import()`, and if an ES module has no default export.
   */
  importDefault(file: string): Promise<unknown>;
  /** Returns the files run so far, except packages and ES modules that other JavaScript modules imported. */
  sources(): readonly string[];
}

/** Imports a module by its absolute path. */
export type ImportModule = (file: string) => Promise<unknown>;

/**
 * Makes an importer. Each process loads a project only once, because Node keeps imported modules. `foreignProblem`
 * returns why a file must not run, or `undefined`. `importFirst` runs before the loaders here.
 */
export function defineImporter(
  directory: string,
  foreignProblem: (file: string) => string | undefined,
  importFirst?: ImportModule,
): Importer {
  const loaded = createRequire(import.meta.url).cache;
  const isOwn = (file: string): boolean =>
    file.startsWith(directory + sep) && !file.includes(`${sep}node_modules${sep}`);
  const imported = new Set<string>();
  let jiti: Promise<Jiti> | undefined;
  return {
    async importDefault(file) {
      imported.add(file);
      const problem = existsSync(file) ? foreignProblem(file) : undefined;
      if (problem !== undefined) {
        throw new Error(`it ${problem}; change its owner or mode, or name the configuration with --project`);
      }
      const found = await importFirst?.(file).then(asFound, () => undefined);
      if (found !== undefined) return defaultOf(found.module);
      if (/^\.[cm]?js$/.test(extname(file))) return defaultOf(await importModule(pathToFileURL(file).href));
      jiti ??= openJiti(directory);
      return defaultOf(await (await jiti).import(file));
    },
    sources: () => [...new Set([...imported, ...Object.keys(loaded).filter(isOwn)])].sort(),
  };
}

const asFound = (module: unknown): { readonly module: unknown } => ({ module });

/**
 * Opens a loader that maps imports of the package to this program, so that a configuration works without an installed
 * package.
 */
async function openJiti(directory: string): Promise<Jiti> {
  const { createJiti } = await import('jiti');
  return createJiti(`${directory}${sep}`, {
    virtualModules: ownModules,
    tsconfigPaths: true,
    interopDefault: false,
  });
}

/** The modules of the running program that configurations import. */
export const ownModules = { 'kindforge/config': { defineConfig }, 'kindforge/contract': contract };

/** Returns the default export. A file without exports may be of either kind of module. */
function defaultOf(module: unknown): unknown {
  if (typeof module !== 'object' || module === null) return module;
  if ('default' in module) return module.default;
  const isEsModule = '__esModule' in module || Object.prototype.toString.call(module) === '[object Module]';
  if (isEsModule || Object.keys(module).length === 0) throw new Error('it has no `export default`');
  return module;
}

/** Matches a place in a stack trace. */
const traced = /^(?:file:\/\/)?((?:[A-Za-z]:)?[\\/].+?\.[cm]?[jt]s):(\d+):(\d+)/;

/**
 * Returns one line: `file:line:column: message`, with the file relative to the working directory, and the line if it is
 * known.
 */
export async function explainImport(file: string, directory: string, error: unknown): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  const parsed = /^ParseError: .*\n\s*(\S.*):\d+:\d+/.exec(message);
  if (parsed || nameOf(error) === 'SyntaxError') {
    const broken = parsed?.[1] ?? file;
    const found = await syntaxError(broken);
    if (found !== undefined) return `${shown(broken)}${found}`;
  }
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const first = asWritten(message.split('\n')[0] ?? '').replaceAll(`${directory}${sep}`, '');
  const named = ['Error', ''].includes(nameOf(error)) ? first : `${nameOf(error)}: ${first}`;
  const said = named + adviceOn(message);
  for (const word of stack.split(/[\s()]+/)) {
    const [, path = '', line, column] = traced.exec(word) ?? [];
    if (isOwn(path, directory)) return `${shown(path)}${placeIn(path, Number(line), Number(column), message)}: ${said}`;
  }
  return `${shown(file)}: ${said}`;
}

/**
 * Returns advice on an import of code that is not generated yet. Its command names the folders by flags, because the
 * configuration cannot be loaded.
 */
const adviceOn = (message: string): string =>
  /^Cannot find module '[^']*\bgenerated\/[^']*'/.test(message)
    ? '; if it is code of a new kind, generate it first: kindforge generate --project none --schemas schemas --out generated'
    : '';

/** Restores the names of imports: `(0 , _module.name)` becomes `name`. */
const asWritten = (message: string): string => message.replaceAll(/\(0\s*,\s*\w+\.(\w+)\)/g, '$1');

/**
 * Returns the place as in `:3:5`. The compiler keeps the lines of TypeScript, but not all columns, and adds code to the
 * first line. Finds a missing import by its name.
 */
function placeIn(path: string, line: number, column: number, message: string): string {
  const text = readTextIfPresent(toPath(path));
  const [, missing] = /^Cannot find (?:module|package) '([^']+)'/.exec(message) ?? [];
  const named = missing === undefined ? -1 : indexOfText(text, missing);
  if (named >= 0) return placeAt(text, named);
  const isCompiled = /\.[cm]?ts$/.test(path);
  const written = text.split('\n')[line - 1] ?? '';
  return isCompiled && (line === 1 || column > written.length) ? `:${line}` : `:${line}:${column}`;
}

/** Finds a text in quotes. */
function indexOfText(text: string, quoted: string): number {
  const [at = -1] = [`'${quoted}'`, `"${quoted}"`].map((each) => text.indexOf(each)).filter((index) => index >= 0);
  return at;
}

function readTextIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the name of an error's class, because errors of another context have other classes. */
const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';

const shown = (path: string): string => relative('', toPath(path)) || path;

const isOwn = (path: string, directory: string): boolean =>
  toPath(path).startsWith(directory + sep) && !path.includes(`${sep}node_modules${sep}`);

const toPath = (text: string): string => (text.startsWith('file://') ? fileURLToPath(text) : text);

const syntaxError = (file: string): Promise<string | undefined> => firstSyntaxError(readTextIfPresent(file));
