/** Updates an output folder: writes generated files that differ, and removes files that are no longer generated. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  equalManifests,
  isSafePath,
  MANIFEST,
  type Manifest,
  originOf,
  otherOrigin,
  printManifest,
  readManifest,
  realPath,
} from './manifest.js';
import { hashOf, type OutputFile } from './output-file.js';
import { stageFiles } from './staged-files.js';

/** A file of the folder that differs from the generated one. */
export interface Difference {
  readonly path: string;
  readonly kind: 'missing' | 'changed' | 'stale';
}

/** The outcome of one generation. */
export interface GenerationResult {
  /** Generated files, written or not, including the list of files. */
  readonly files: number;
  /** Ordered by path. Written and removed, unless the folder was only compared. */
  readonly differences: readonly Difference[];
  /** Files that are no longer generated, but that someone else has changed, so they stay. */
  readonly kept: readonly string[];
}

/** An output folder during one generation. */
export interface OutputFolder {
  /**
   * Adds a generated file, and writes it later if it differs from the folder. Throws if two files have the same path.
   */
  readonly add: (file: OutputFile) => string;
  /** Adds a file that is known to be in the folder, by its path and hash, without its content. */
  readonly keep: (path: string, hash: string) => void;
  /** Returns whether such a file is known to be in the folder. */
  readonly has: (path: string, hash: string) => boolean;
  /** The files added so far. */
  readonly manifest: () => Manifest;
  /**
   * Writes all files that differ and the list of them, and removes files that are no longer generated. Returns `moved`,
   * and does nothing, if another process has generated into the folder since this generation began. Throws the errors
   * of the file system; every file is then as it was.
   */
  readonly finish: () => GenerationResult | 'moved';
}

export interface OutputOptions {
  /** Compares only. */
  readonly check?: boolean;
  /** The files of the folder, by their hashes, if they were read just now. They are not read again. */
  readonly known?: Manifest;
  /** The list of the folder's files, if it differs from `known`, for a folder that others may change. */
  readonly listed?: Manifest;
  /** Folder of the definitions, which the list of files names. */
  readonly schemas?: string;
}

/** Begins a generation into a folder. Nothing changes before its end; until then, differences are in memory. */
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
      // This process wrote the file, so it can compare the hash without reading the file.
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

/** Emitters return the same object while a file stays the same, and some files are large. */
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

/** Refuses the folder of the definitions itself, because definitions are not read from generated folders. */
export function refuseOwnFolder(out: string, schemas: string): void {
  if (realPath(out) !== realPath(schemas)) return;
  throw new Error(`${out} is the folder of the definitions; name another one with --out`);
}

/** Refuses a folder with files generated from other definitions: it would remove them as stale. */
export function refuseForeign(out: string, schemas: string): void {
  const origin = otherOrigin(out, schemas);
  if (origin === undefined) return;
  const named = relative('', origin) || '.';
  throw new Error(
    `${out} has files generated from ${named}, and ${schemas} would replace them; name another folder with --out, or remove ${out} first`,
  );
}
