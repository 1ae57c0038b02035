/** The record of what is released: the definitions as they were, in `lock/released` beside them. */
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFiles, isFolder } from '../load/find-files.js';

/** Relative to the schemas folder. */
export const releasedPath = 'lock/released';

/** The file that lets breaks of the record pass, relative to the schemas folder. */
export const usualAllowPath = 'lock/allow.yaml';

/** Whether a folder of definitions says what was released. Costs one look at the disk. */
export function hasReleased(schemas: string): boolean {
  return isFolder(join(schemas, releasedPath));
}

/** Makes the definitions of a folder the released ones, all or none of them. Throws what the file system says. */
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
