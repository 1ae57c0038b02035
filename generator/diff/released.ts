/** The record of released definitions: a copy in `released` beside them. */
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFiles, isFolder } from '../load/find-files.js';

/** Relative to the schemas folder. */
export const releasedPath = 'lock/released';

/** The file that allows breaks of the record, relative to the schemas folder. */
export const usualAllowPath = 'lock/allow.yaml';

/** Returns whether a folder of definitions has a record of released ones. Costs one file system call. */
export function hasReleased(schemas: string): boolean {
  return isFolder(join(schemas, releasedPath));
}

/** Records the definitions of a folder as released, all or none of them. Throws the errors of the file system. */
export function writeReleased(schemas: string): number {
  const target = join(schemas, releasedPath);
  const [fresh, old] = [`${target}.new`, `${target}.old`];
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  const { files } = findFiles(schemas);
  mkdirSync(fresh, { recursive: true });
  for (const { path, absolute } of files) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    cpSync(absolute, join(fresh, path), { dereference: true });
  }
  if (hasReleased(schemas)) renameSync(target, old);
  renameSync(fresh, target);
  rmSync(old, { recursive: true, force: true });
  return files.length;
}
