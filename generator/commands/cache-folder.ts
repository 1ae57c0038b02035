/**
 * The cache on disk for the memory of runs. It is safe to delete at any time, is not committed, and has a bounded size.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * The size of the cache: at most this many entries, and this many bytes in all. The oldest entries are removed first.
 */
const MOST_ENTRIES = 64;
const MOST_BYTES = 512 * 1024 * 1024;

/** Returns `node_modules/.cache/kindforge` of the project, or a folder of the user's caches outside of projects. */
export function cacheFolder(from = process.cwd()): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules'))) return join(folder, 'node_modules/.cache/kindforge');
    if (dirname(folder) === folder) break;
  }
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kindforge');
}

/** Reads the bytes of an entry; `undefined` if they cannot be read. */
export function readEntry(folder: string, name: string): Buffer | undefined {
  try {
    return readFileSync(join(folder, name));
  } catch {
    return undefined;
  }
}

/**
 * Writes an entry as a whole: readers get the old one or the new one. If the folder cannot be written, forgets the
 * entry without an error.
 */
export function writeEntry(folder: string, name: string, bytes: string | Uint8Array): void {
  const making = join(folder, `${name}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(making, bytes);
    renameSync(making, join(folder, name));
    removeOldest(folder);
  } catch {
    remove(making);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The entry is in a folder that nobody can write to.
  }
}

function removeOldest(folder: string): void {
  const entries = readdirSync(folder).map((name) => ({ name, stats: statSync(join(folder, name)) }));
  let bytes = 0;
  entries
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
    .forEach(({ name, stats }, index) => {
      bytes += stats.size;
      if (index >= MOST_ENTRIES || bytes > MOST_BYTES) remove(join(folder, name));
    });
}
