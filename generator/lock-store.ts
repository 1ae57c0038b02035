/** The lock on disk: `lock/protobuf.json` in the schemas folder. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { emptyLock, type LockProblem, type ProtobufLock, printLock, readLock } from './lock.js';

/** Relative to the schemas folder. */
export const lockPath = 'lock/protobuf.json';

/** Reads the lock; empty where there is no file. Throws what the file system says otherwise. */
export function readLockFile(schemas: string): {
  readonly lock: ProtobufLock;
  readonly problems: readonly LockProblem[];
} {
  try {
    return readLock(readFileSync(join(schemas, lockPath), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { lock: emptyLock, problems: [] };
    throw error;
  }
}

/** Replaces the file in one step: a reader sees the old lock or the new one. */
export function writeLockFile(schemas: string, lock: ProtobufLock): void {
  const path = join(schemas, lockPath);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, printLock(lock));
  renameSync(`${path}.new`, path);
}
