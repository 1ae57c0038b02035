/** Writes imported definitions: all or none of them. Never overwrites existing files without `--force`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stageFiles } from '../write/staged-files.js';
import { type ImportedFile, printDefinition } from './index.js';

/** Files already exist; the message lists them. */
export class FilesExistError extends Error {}

/** Maximum number of existing files in a message. */
const LISTED = 10;

/**
 * Writes files below a folder, and creates the folder if needed. Throws a `FilesExistError`, or an error of the file
 * system; every file is then as it was before.
 */
export function writeFiles(folder: string, files: readonly ImportedFile[], force: boolean): void {
  const existing = force ? [] : files.filter(({ path }) => existsSync(join(folder, path)));
  if (existing.length > 0) {
    const listed = existing.slice(0, LISTED).map(({ path }) => join(folder, path));
    const more = existing.length > LISTED ? [`and ${existing.length - LISTED} more`] : [];
    const cure = 'nothing was written; add --force to overwrite them, or choose another --out';
    throw new FilesExistError(['these files exist already:', ...listed, ...more, cure].join('\n  '));
  }
  const staged = stageFiles(folder);
  for (const { path, value } of files) staged.write(path, Buffer.from(printDefinition(value)));
  staged.commit(() => true);
}
