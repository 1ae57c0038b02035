/** The lock on disk: `lock/protobuf.json` in the schemas folder. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFolder } from '../load/find-files.js';
import { emptyLock, type LockProblem, type ProtobufLock, printLock, readLock } from './lock.js';

/** Relative to the schemas folder. */
export const lockPath = 'lock/protobuf.json';

/** The content of the lock file. */
export interface LockFile {
  readonly lock: ProtobufLock;
  readonly problems: readonly LockProblem[];
  /** Empty if the file does not exist. */
  readonly text: string;
}

/** Returns whether a folder of definitions has a folder `lock` for its promises. Without it, nothing is promised. */
export function hasLockFolder(schemas: string): boolean {
  return isFolder(dirname(join(schemas, lockPath)));
}

/** Reads the lock; empty if the file does not exist. Throws other errors of the file system. */
export function readLockFile(schemas: string): LockFile {
  try {
    const text = readFileSync(join(schemas, lockPath), 'utf8');
    return { ...readLock(text), text };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return { lock: emptyLock, problems: [], text: '' };
    }
    throw error;
  }
}

/** Replaces the file in one step, or leaves it: readers see the old lock or the new one. The folder must exist. */
export function writeLockFile(schemas: string, lock: ProtobufLock): void {
  writeLockText(schemas, printLock(lock));
}

/** Writes a text that was read before. An empty text removes the file. */
export function writeLockText(schemas: string, text: string): void {
  const path = join(schemas, lockPath);
  if (text === '') {
    rmSync(path, { force: true });
    return;
  }
  // Another process may write it at the same time.
  const prepared = `${path}.${process.pid}`;
  try {
    writeFileSync(prepared, text);
    renameSync(prepared, path);
  } catch (error) {
    rmSync(prepared, { force: true });
    throw error;
  }
}
