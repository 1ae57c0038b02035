/** Finds the definition files below a folder, in a fixed order. Follows symbolic links, but never in circles. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isOutputFolder } from '../write/manifest.js';
import { compare } from '../write/order.js';
import { MAX_FOLDER_DEPTH } from './limits.js';

/** A file that may hold definitions. */
export interface FoundFile {
  /** Relative to the schemas folder, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
  /** Changes whenever the content may have changed. */
  readonly stamp: string;
}

/** A path that could not be followed. */
export interface Unreadable {
  readonly path: string;
  readonly message: string;
}

export interface FoundFiles {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly Unreadable[];
}

const DEFINITION = /\.(?:yaml|yml|json)$/i;
/** Describes the format itself, for editors. */
const FORMAT_SCHEMA = /\.schema\.json$/;
/** Has the promises to clients; the generator writes it. */
const LOCK_FOLDER = 'lock';

/**
 * Finds all `*.yaml`, `*.yml` and `*.json` files below `folder`, except hidden files, `node_modules`, `*.schema.json`,
 * the top folder `lock`, output folders of the generator, and further paths to the same file.
 */
export function findFiles(folder: string): FoundFiles {
  const files: FoundFile[] = [];
  const unreadable: Unreadable[] = [];
  const seen = new Set<string>();

  const enter = (absolute: string, path: string, depth: number): void => {
    if (isOutputFolder(absolute)) return;
    const entries = attempt(path, () => readdirSync(absolute, { withFileTypes: true }));
    for (const entry of (entries ?? []).sort(byName)) {
      if (isIgnored(entry, depth)) continue;
      visit(join(absolute, entry.name), path === '' ? entry.name : `${path}/${entry.name}`, depth, entry);
    }
  };

  const visit = (absolute: string, path: string, depth: number, entry: Dirent): void => {
    const mayMatter = entry.isDirectory() || entry.isSymbolicLink() || isDefinition(entry.name);
    const real = mayMatter ? attempt(path, () => realpathSync(absolute)) : undefined;
    if (real === undefined || seen.has(real)) return;
    const stats = attempt(path, () => statSync(real));
    if (stats === undefined) return;
    seen.add(real);
    if (stats.isDirectory()) {
      if (depth < MAX_FOLDER_DEPTH) enter(absolute, path, depth + 1);
      else unreadable.push({ path, message: `more than ${MAX_FOLDER_DEPTH} folders deep` });
    } else if (stats.isFile() && isDefinition(entry.name)) {
      files.push({ path, absolute, bytes: stats.size, stamp: stampOf(stats) });
    } else if (isDefinition(entry.name)) unreadable.push({ path, message: 'is neither a file nor a folder' });
  };

  const attempt = <T>(path: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      const message = describe(error);
      unreadable.push(path === '' ? { path: '.', message: `${folder} ${message}` } : { path, message });
      return undefined;
    }
  };

  const root = attempt('', () => realpathSync(folder));
  if (root !== undefined) {
    seen.add(root);
    enter(root, '', 0);
  }
  return { files: files.sort((a, b) => compare(a.path, b.path)), unreadable };
}

function isIgnored(entry: Dirent, depth: number): boolean {
  return entry.name.startsWith('.') || entry.name === 'node_modules' || (depth === 0 && entry.name === LOCK_FOLDER);
}

function isDefinition(name: string): boolean {
  return DEFINITION.test(name) && !FORMAT_SCHEMA.test(name);
}

/** Returns whether a file at a path below the schemas folder may hold definitions, by its path alone. */
export function isDefinitionPath(path: string): boolean {
  const parts = path.split('/');
  const isHidden = parts.some((part) => part.startsWith('.') || part === 'node_modules');
  return !isHidden && !(parts.length > 1 && parts[0] === LOCK_FOLDER) && isDefinition(parts.at(-1) ?? '');
}

function stampOf(stats: Stats): string {
  return `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

function byName(a: Dirent, b: Dirent): number {
  return compare(a.name, b.name);
}

/** Returns the message of a failed file operation, without the absolute path that Node adds. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.message;
  const words: Record<string, string> = {
    ENOENT: 'does not exist',
    EACCES: 'may not be read',
    EPERM: 'may not be read',
    ELOOP: 'is a symbolic link that leads to itself',
    ENOTDIR: 'is not a folder',
    EISDIR: 'is a folder',
  };
  return words[code] ?? code;
}

/** Returns whether a path is a folder. Throws the error of the file system if the path may not be read. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return false;
    throw error;
  }
}
