/** The list of files that the generator has written. With it, the generator only removes and replaces its own files. */
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { get, isObject, type Raw } from '../../runtime/schema/read.js';
import { compare } from './order.js';

/** Name of the list within the output folder. */
export const MANIFEST = 'manifest.json';

/** SHA-256 of the content in hexadecimal, by path relative to the output folder. */
export type Manifest = ReadonlyMap<string, string>;

/** Reads the list of an output folder; empty if it does not exist or cannot be read. */
export function readManifest(folder: string): Manifest {
  let parsed: Raw;
  try {
    parsed = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
  } catch {
    return new Map();
  }
  const files = get(parsed, 'files');
  if (!isObject(files)) return new Map();
  const entries = Object.entries(files).filter(([path]) => isSafePath(path));
  return new Map(entries.flatMap(([path, hash]) => (typeof hash === 'string' ? [[path, hash]] : [])));
}

/** Returns whether two lists have the same files. */
export const equalManifests = (a: Manifest, b: Manifest): boolean =>
  a.size === b.size && [...a].every(([path, hash]) => b.get(path) === hash);

/**
 * Returns the folder of definitions that an output folder was last generated from, if it differs from `schemas` and
 * still exists. If the folder was renamed, its output can be reused.
 */
export function otherOrigin(folder: string, schemas: string): string | undefined {
  const origin = readOrigin(folder);
  if (origin === undefined) return undefined;
  const absolute = resolve(folder, origin);
  return absolute === resolve(schemas) || !existsSync(absolute) ? undefined : absolute;
}

function readOrigin(folder: string): string | undefined {
  try {
    const schemas = get(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')), 'schemas');
    return typeof schemas === 'string' ? schemas : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the folder of definitions for the list: relative to the output, if both are in one project; otherwise
 * `undefined`, since such output may be read on any machine.
 */
export function originOf(folder: string, schemas: string): string | undefined {
  const [from, to] = [resolve(folder), resolve(schemas)];
  const project = projectOf(from);
  if (project === undefined || project !== projectOf(to)) return undefined;
  return relative(from, to).replaceAll(sep, '/');
}

/** Returns the nearest folder above with a `package.json`. */
function projectOf(folder: string): string | undefined {
  const parent = dirname(folder);
  if (parent === folder) return undefined;
  return existsSync(join(parent, 'package.json')) ? parent : projectOf(parent);
}

/** Returns whether the generator has written a folder, by the start of its list. */
export function isOutputFolder(folder: string): boolean {
  const beginning = Buffer.alloc(START.length);
  try {
    const file = openSync(join(folder, MANIFEST), 'r');
    try {
      readSync(file, beginning);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return beginning.toString() === START;
}

/** The start of every list. */
const START = '{\n  "about": "Files written by kindforge generate, with their SHA-256. Do not edit.",\n';

/** Prints the list: one line per file, in order of paths. `origin` is the folder of definitions, if it is known. */
export function printManifest(files: Manifest, origin?: string): string {
  const lines = [...files]
    .sort(([a], [b]) => compare(a, b))
    .map(([path, hash]) => `    ${JSON.stringify(path)}: "${hash}"`);
  const from = origin === undefined ? '' : `  "schemas": ${JSON.stringify(origin)},\n`;
  return `${START}${from}  "files": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/** Returns whether a relative path stays inside its folder, without empty, `.` or `..` steps. */
export function isSafePath(path: string): boolean {
  const steps = path.split('/');
  return (
    !path.includes('\\') && !path.includes('\0') && steps.every((step) => step !== '' && step !== '.' && step !== '..')
  );
}

/** Returns the path without symbolic links, or as it is if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
