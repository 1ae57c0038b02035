/**
 * Keeps the state of a generator for the next process: the definitions as read and checked, and the files of each unit
 * of the output. It keeps the state of one run; hashes of the content show what has changed since.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { keptProofs, restoreProofs } from '../check/conversion/stored-as.js';
import type { Definitions } from '../check/load-definitions.js';
import { toPlain, withTexts } from '../check/plain-definitions.js';
import { keptOccurrences, restoreOccurrences } from '../emit/structures.js';
import type { Manifest } from '../write/manifest.js';
import { readEntry, writeEntry } from './cache-folder.js';

/** A file that was emitted, without its content. */
export interface EmittedFile {
  readonly path: string;
  readonly hash: string;
}

/** Files that were emitted together. */
export interface Unit {
  /** Changes with all inputs of the files. */
  readonly key: string;
  readonly files: readonly EmittedFile[];
}

/** Units by emitter and by subject. */
export type Units = ReadonlyMap<string, Unit>;

/** The state of a generator. */
export interface Known {
  readonly definitions: Definitions;
  readonly units: Units;
}

/** The state, with the files that the output had when the generator was done. */
export interface Knowledge extends Known {
  readonly files: Manifest;
}

/** The state, with the files of that generator as they are now. */
export interface Remembered extends Known {
  readonly contents: Manifest;
}

interface Kept extends Known {
  readonly stamp: string;
  readonly occurrences: ReturnType<typeof keptOccurrences>;
  readonly proofs: ReturnType<typeof keptProofs>;
}

/** The place of a generator's state. */
export interface StateLocation {
  /** Folder of the definitions. */
  readonly schemas: string;
  readonly cache: string;
  readonly entry: string;
}

/**
 * Writes the state as one piece, so that shared objects stay shared. The next run reads again what cannot be written.
 */
export function keepState({ cache, entry }: StateLocation, { definitions, units }: Known): void {
  const versions = definitions.model.resources.flatMap((resource) => resource.versions);
  const kept: Kept = {
    stamp: generatorStamp(),
    definitions: toPlain(definitions),
    units,
    occurrences: keptOccurrences(versions),
    proofs: keptProofs(versions),
  };
  try {
    writeEntry(cache, `${entry}.state`, serialize(kept));
  } catch {
    // The run was successful, even if it cannot be remembered.
  }
}

/** Reads the state; `undefined` if there is none, if it is from another generator, or if it is damaged. */
export function readState({ schemas, cache, entry }: StateLocation): Known | undefined {
  const bytes = readEntry(cache, `${entry}.state`);
  if (bytes === undefined) return undefined;
  try {
    const kept: Kept = deserialize(bytes);
    if (kept.stamp !== generatorStamp()) return undefined;
    restoreOccurrences(kept.occurrences);
    restoreProofs(kept.proofs);
    return { units: kept.units, definitions: withTexts(kept.definitions, schemas) };
  } catch {
    return undefined;
  }
}

/** Folders of all code that the output depends on. */
const SOURCES = ['client', 'generator', 'runtime'];

/** Returns the SHA-256 of the running code, and of the version of Node. `own` is the file with this code. */
export function generatorStamp(own = fileURLToPath(import.meta.url)): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of isBundle(own) ? [own] : sourcesBeside(own)) hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** Returns whether a file is the built command, with all code. Otherwise, it is one of the generator's modules. */
const isBundle = (own: string): boolean => basename(dirname(own)) !== 'commands';

function sourcesBeside(own: string): readonly string[] {
  const root = join(dirname(own), '../..');
  return SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
}
