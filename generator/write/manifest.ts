/** The list of files that the generator has written, kept beside them, so that it removes and replaces only its own. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { get, isObject, type Raw } from '../model/read.js';
import { compare } from '../order.js';

/** Name of the list within the output folder. */
export const MANIFEST = 'manifest.json';

/** SHA-256 of the content in hexadecimal, by path relative to the output folder. */
export type Manifest = ReadonlyMap<string, string>;

/** The list of an output folder; empty where there is none, or none that can be read. */
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

/** Whether a folder is one that the generator has written, as far as the beginning of its list tells. */
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

/** How every list begins. */
const START = '{\n  "about": "Files written by kindforge generate, with their SHA-256. Do not edit.",\n';

/** The list as text: one line per file, in order of paths. */
export function printManifest(files: Manifest): string {
  const lines = [...files]
    .sort(([a], [b]) => compare(a, b))
    .map(([path, hash]) => `    ${JSON.stringify(path)}: "${hash}"`);
  return `${START}  "files": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/** Whether a path stays inside the folder it is relative to, and is written in one way only. */
export function isSafePath(path: string): boolean {
  const steps = path.split('/');
  return (
    !path.includes('\\') && !path.includes('\0') && steps.every((step) => step !== '' && step !== '.' && step !== '..')
  );
}
