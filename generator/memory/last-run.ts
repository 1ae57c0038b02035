/** What a run leaves behind, by which the next one knows at once that there is nothing to do. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Manifest } from '../write/manifest.js';
import { readEntry, writeEntry } from './cache-folder.js';
import { noteFiles, type SeenFile, seeAgain } from './seen-files.js';

/** A run that wrote everything, or found everything as it should be. */
export interface LastRun {
  /** Hash of all inputs. */
  readonly inputs: string;
  readonly resources: number;
  readonly diagnostics: readonly Diagnostic[];
  /** The output, the list of files included. */
  readonly files: readonly SeenFile[];
}

/** The beginning of the names of a run's entries: another one for each pair of folders. */
export function entryOf(schemas: string, out: string): string {
  return createHash('sha256')
    .update(`${realPath(schemas)}\0${realPath(out)}`)
    .digest('hex')
    .slice(0, 24);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** The last run; `undefined` if there is none of the same form. */
export function readLastRun(cache: string, entry: string): LastRun | undefined {
  const bytes = readEntry(cache, `${entry}.json`);
  if (bytes === undefined) return undefined;
  try {
    const run: LastRun = JSON.parse(bytes.toString());
    return Array.isArray(run.files) && Array.isArray(run.diagnostics) ? run : undefined;
  } catch {
    return undefined;
  }
}

export function writeLastRun(cache: string, entry: string, run: LastRun): void {
  writeEntry(cache, `${entry}.json`, JSON.stringify(run));
}

/** Whether the output is what the last run left. Notes files anew that had to be read. */
export function isUntouched(cache: string, entry: string, out: string, run: LastRun): boolean {
  const now = seeAgain(out, run.files);
  if (run.files.some(([path, hash]) => now.get(path) !== hash)) return false;
  if (run.files.some(([, , stamp]) => stamp === '')) writeLastRun(cache, entry, { ...run, files: noteFiles(out, now) });
  return true;
}

/** Notes the output of a run. */
export function noteRun(out: string, files: Manifest, rest: Omit<LastRun, 'files'>): LastRun {
  return { ...rest, files: noteFiles(out, files) };
}
