/** The files of an LMDB folder. They are private to the server's user, and lost files are never created again. */
import { chmodSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedFileError } from './lmdb-file.js';

/** Objects may be secrets. */
export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;
/** The size of the lock file in bytes, in whole pages. The library needs fewer. */
const LOCK_BYTES = 12 * 1024;

export const dataFileOf = (directory: string): string => join(directory, 'data.mdb');

/** Returns the size of the data in a folder, in bytes; 0 without data. */
export const lmdbBytes = (directory: string): number => sizeOf(dataFileOf(directory)) ?? 0;
const lockFileOf = (directory: string): string => join(directory, 'lock.mdb');
export const ownerFileOf = (directory: string): string => join(directory, 'owner');

/**
 * Prepares the folder for opening. If it never had data, `make` gets a temporary folder and makes the data there. Then
 * the data file moves into its place at once, so an existing data file was always complete. Throws a `DamagedFileError`
 * if the data file is empty, or has disappeared.
 */
export async function prepareFolder(directory: string, make: (place: string) => Promise<void>): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: FOLDER_MODE });
  const size = sizeOf(dataFileOf(directory));
  if (size === 0) throw new DamagedFileError(dataFileOf(directory), 'is damaged: it is empty');
  if (size === undefined) {
    const trace = [lockFileOf(directory), ownerFileOf(directory)].find((path) => sizeOf(path) !== undefined);
    if (trace !== undefined) throw new DamagedFileError(dataFileOf(directory), `is gone, though there is ${trace}`);
    await makeData(directory, make);
  }
  makeLockFile(directory);
  closeToOthers(directory);
}

/** Removes other users' access to files that an earlier version made, or that were made with another umask. */
export function closeToOthers(directory: string): void {
  for (const path of [dataFileOf(directory), lockFileOf(directory), ownerFileOf(directory)]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) !== 0) chmodSync(path, FILE_MODE);
  }
}

/**
 * Makes the library's lock file with its full size, if it is missing. The library writes the file through a map; on a
 * full disk, this would be a bus error instead of an error message.
 */
export function makeLockFile(directory: string): void {
  try {
    writeFileSync(lockFileOf(directory), Buffer.alloc(LOCK_BYTES), { flag: 'wx', mode: FILE_MODE });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    rmSync(lockFileOf(directory), { force: true });
    throw error;
  }
}

async function makeData(directory: string, make: (place: string) => Promise<void>): Promise<void> {
  const place = mkdtempSync(join(directory, 'new-'));
  try {
    makeLockFile(place);
    await make(place);
    chmodSync(dataFileOf(place), FILE_MODE);
    putInPlace(dataFileOf(place), dataFileOf(directory));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Renames a file. If another process was faster, its file stays. */
function putInPlace(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (sizeOf(to) !== undefined) return;
    if (!(error instanceof Error && 'code' in error)) throw error;
    // Some file systems do not support hard links.
    renameSync(from, to);
  }
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;
