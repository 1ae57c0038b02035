/**
 * Keeps what a generator knows from one process to the next: definitions as they were read and checked, and the files that
 * each unit of the output consists of. One run's is kept; what has changed since is found out by its content.
 */
import { deserialize, serialize } from 'node:v8';
import { keptProofs, restoreProofs } from '../check/conversion/stored-as.js';
import type { Definitions } from '../check/load-definitions.js';
import { toPlain, withTexts } from '../check/plain-definitions.js';
import { keptOccurrences, restoreOccurrences } from '../emit/structures.js';
import type { Manifest } from '../write/manifest.js';
import { readEntry, writeEntry } from './cache-folder.js';
import { generatorStamp } from './generator-stamp.js';

/** A file that was emitted, without its content. */
export interface EmittedFile {
  readonly path: string;
  readonly hash: string;
}

/** Files that were emitted together. */
export interface Unit {
  /** Changes with everything that the files follow from. */
  readonly key: string;
  readonly files: readonly EmittedFile[];
}

/** Units by emitter and by what they are of. */
export type Units = ReadonlyMap<string, Unit>;

/** The knowledge of a generator. */
export interface Known {
  readonly definitions: Definitions;
  readonly units: Units;
}

/** The same, with the files that the output had when the generator was done. */
export interface Knowledge extends Known {
  readonly files: Manifest;
}

/** The same, with the files of that generator as they are now. */
export interface Remembered extends Known {
  readonly contents: Manifest;
}

interface Kept extends Known {
  readonly stamp: string;
  readonly occurrences: ReturnType<typeof keptOccurrences>;
  readonly proofs: ReturnType<typeof keptProofs>;
}

/** Where a generator keeps its state. */
export interface StateLocation {
  /** Folder of the definitions. */
  readonly schemas: string;
  readonly cache: string;
  readonly entry: string;
}

/** Keeps all in one piece, so that objects that are one stay one. What cannot be kept is read again by the next run. */
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
    // The run is done, whether it is remembered or not.
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
