/** Brings an output folder to what was generated: writes what differs, removes what is no longer generated. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './hash.js';
import {
  equalManifests,
  isSafePath,
  MANIFEST,
  type Manifest,
  originOf,
  printManifest,
  readManifest,
} from './manifest.js';
import type { OutputFile } from './output-file.js';
import { stageFiles } from './staged-files.js';

/** A file of the folder that differs from the generated one. */
export interface Difference {
  readonly path: string;
  readonly kind: 'missing' | 'changed' | 'stale';
}

/** The outcome of one generation. */
export interface GenerationResult {
  /** Files generated, whether written or not; the list of them is one. */
  readonly files: number;
  /** In order of their paths. Written and removed unless the folder was only compared. */
  readonly differences: readonly Difference[];
  /** Files that are no longer generated, but have been changed by someone else and are therefore kept. */
  readonly kept: readonly string[];
}

/** An output folder between the beginning and the end of one generation. */
export interface OutputFolder {
  /**
   * Takes a generated file, and writes it later if it differs from the folder. Throws if two files have the same path.
   */
  readonly add: (file: OutputFile) => string;
  /** Takes a file that the folder is known to have, by its path and hash, without its content. */
  readonly keep: (path: string, hash: string) => void;
  /** Returns whether the folder is known to have such a file. */
  readonly has: (path: string, hash: string) => boolean;
  /** The files taken so far. */
  readonly manifest: () => Manifest;
  /**
   * Writes all files that differ and the list of them, and removes what was generated before and is no longer. `moved`,
   * and nothing is done, where another process has generated into the folder since this generation began. Throws what
   * the file system says; every file is then as it was.
   */
  readonly finish: () => GenerationResult | 'moved';
}

export interface OutputOptions {
  /** Compares only. */
  readonly check?: boolean;
  /** The files that the folder has, by their hashes, as far as somebody has just seen them; they need not be read then. */
  readonly known?: Manifest;
  /** The list of the folder's files, if it differs from `known`, for a folder that others may change. */
  readonly listed?: Manifest;
  /** Folder of the definitions, to be named in the list of files. */
  readonly schemas?: string;
}

/** Begins a generation into a folder, on which nothing changes before its end. What differs is held in memory until then. */
export function openOutput(folder: string, options: OutputOptions = {}): OutputFolder {
  const { check = false, known, schemas } = options;
  const generated = new Map<string, string>();
  const differences: Difference[] = [];
  const staged = stageFiles(folder);
  const before = options.listed ?? known ?? readManifest(folder);

  const isCurrent = (): boolean => equalManifests(readManifest(folder), before);

  const take = (path: string, hash: string): void => {
    if (!isSafePath(path) || path === MANIFEST) throw new Error(`an emitter may not write \`${path}\``);
    if (generated.has(path)) throw new Error(`two emitters write \`${path}\``);
    generated.set(path, hash);
  };

  const write = (path: string, kind: Difference['kind'], content: Uint8Array): void => {
    differences.push({ path, kind });
    if (!check) staged.write(path, content);
  };

  const bring = (path: string, content: Uint8Array): void => {
    const present = readBytes(join(folder, path));
    if (present?.equals(content) === true) return;
    write(path, present === undefined ? 'missing' : 'changed', content);
  };

  const removeStale = (): string[] => {
    const kept: string[] = [];
    for (const [path, hash] of before) {
      if (generated.has(path)) continue;
      const present = readBytes(join(folder, path));
      if (present === undefined) continue;
      if (hashOf(present) !== hash) kept.push(path);
      else {
        differences.push({ path, kind: 'stale' });
        if (!check) staged.remove(path);
      }
    }
    return kept;
  };

  return {
    add: (file) => {
      const { path } = file;
      const had = known?.get(path);
      const remembered = hashes.get(file);
      if (remembered !== undefined && remembered === had) {
        take(path, remembered);
        return remembered;
      }
      const content = bytesOf(file.content);
      const hash = remembered ?? hashOf(content);
      hashes.set(file, hash);
      take(path, hash);
      // This process wrote the file itself, so it need not be read to know that it differs.
      if (had === undefined) bring(path, content);
      else if (had !== hash) write(path, 'changed', content);
      return hash;
    },
    keep: take,
    has: (path, hash) => known?.get(path) === hash,
    manifest: () => generated,
    finish: () => {
      const kept = removeStale();
      const origin = schemas === undefined ? undefined : originOf(folder, schemas);
      const isEmpty = generated.size === 0;
      if (!isEmpty) bring(MANIFEST, bytesOf(printManifest(generated, origin)));
      else if (!check && readBytes(join(folder, MANIFEST)) !== undefined) staged.remove(MANIFEST);
      if (!staged.commit(isCurrent)) return 'moved';
      differences.sort((a, b) => (a.path < b.path ? -1 : 1));
      return { files: isEmpty ? 0 : generated.size + 1, differences, kept };
    },
  };
}

/** Emitters hand over the same object as long as a file stays the same, and some of those are large. */
const hashes = new WeakMap<OutputFile, string>();

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content;

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
