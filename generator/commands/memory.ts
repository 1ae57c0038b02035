/**
 * Remembers the last run of `kindforge generate`. Its inputs and output show whether there is anything to do, before
 * the generator is loaded. If there is, the next run starts from the state of the last one.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { today } from '../diff/allow-file.js';
import { findFiles } from '../load/find-files.js';
import { MANIFEST, type Manifest, originOf, realPath } from '../write/manifest.js';
import { compare } from '../write/order.js';
import { hashOf, hashOfFile } from '../write/output-file.js';
import { cacheFolder, readEntry, writeEntry } from './cache-folder.js';
import { generatorStamp, type Knowledge, type keepState, type Remembered, type readState } from './kept-state.js';

/** The result of a run. */
export interface Result {
  readonly diagnostics: readonly Diagnostic[];
  /** Resources in the model, and how many of them got new files. */
  readonly resources: number;
  readonly emitted: number;
}

/** The memory of a pair of folders. */
export interface Memory {
  /** Returns the result of the last run with its number of files, if another run would change nothing. */
  readonly unchanged: () => (Result & { readonly files: number }) | undefined;
  /** Returns the state of the last run. */
  readonly recall: (read: typeof readState) => Remembered | undefined;
  /** Remembers a run that has written everything. */
  readonly keep: (result: Result, knowledge: Knowledge, keep: typeof keepState) => void;
}

export interface MemoryOptions extends Asked {
  /** Whether the output depends only on the inputs, not on users' code or on other definitions. */
  readonly isClosed: boolean;
  /** The folder of the cache. Default: the project's cache. */
  readonly folder?: string | undefined;
}

/**
 * If less than one in this many resources has changed, the next run reads the unchanged ones again: this is cheaper.
 */
const FEW = 20;

/** Opens the memory of a pair of folders. Never throws: it forgets what cannot be read or written. */
export function openMemory(options: MemoryOptions): Memory {
  const { schemas, out, isClosed, folder: cache = cacheFolder() } = options;
  const entry = entryOf(schemas, out);
  return {
    unchanged: () => {
      const run = isClosed ? readLastRun(cache, entry) : undefined;
      const files = run === undefined ? undefined : readDefinitionFiles(schemas);
      if (run === undefined || files === undefined || run.inputs !== hashInputs(options, files)) return undefined;
      if (!isUntouched(cache, entry, out, run)) return undefined;
      return { diagnostics: run.diagnostics, resources: run.resources, emitted: 0, files: run.files.length };
    },
    recall: (read) => {
      const run = readLastRun(cache, entry);
      const known = run === undefined ? undefined : read({ schemas, cache, entry });
      if (run === undefined || known === undefined) return undefined;
      return { ...known, contents: seeAgain(out, run.files) };
    },
    keep: ({ diagnostics, resources, emitted }, known, keep) => {
      const inputs = isClosed ? hashInputs(options, known.definitions.state.folder.files) : undefined;
      const manifest = hashOfFile(join(out, MANIFEST));
      const files = manifest === undefined ? known.files : new Map([...known.files, [MANIFEST, manifest]]);
      if (emitted > resources / FEW) keep({ schemas, cache, entry }, known);
      writeLastRun(cache, entry, noteRun(out, files, { inputs: inputs ?? '', resources, diagnostics }));
    },
  };
}

/** A run that wrote everything, or found everything up to date. */
interface LastRun {
  /** Hash of all inputs. */
  readonly inputs: string;
  readonly resources: number;
  readonly diagnostics: readonly Diagnostic[];
  /** The output, including the list of files. */
  readonly files: readonly SeenFile[];
}

/** Returns the prefix of the names of a run's entries. It differs for each pair of folders. */
function entryOf(schemas: string, out: string): string {
  return createHash('sha256')
    .update(`${realPath(schemas)}\0${realPath(out)}`)
    .digest('hex')
    .slice(0, 24);
}

/** Reads the last run; `undefined` if there is none in this format. */
function readLastRun(cache: string, entry: string): LastRun | undefined {
  const bytes = readEntry(cache, `${entry}.json`);
  if (bytes === undefined) return undefined;
  try {
    const run: LastRun = JSON.parse(bytes.toString());
    return Array.isArray(run.files) && Array.isArray(run.diagnostics) ? run : undefined;
  } catch {
    return undefined;
  }
}

function writeLastRun(cache: string, entry: string, run: LastRun): void {
  writeEntry(cache, `${entry}.json`, JSON.stringify(run));
}

/** Returns whether the output is as the last run left it. Records files that it read again. */
function isUntouched(cache: string, entry: string, out: string, run: LastRun): boolean {
  const now = seeAgain(out, run.files);
  if (run.files.some(([path, hash]) => now.get(path) !== hash)) return false;
  if (run.files.some(([, , stamp]) => stamp === '')) writeLastRun(cache, entry, { ...run, files: noteFiles(out, now) });
  return true;
}

/** Records the output of a run. */
function noteRun(out: string, files: Manifest, rest: Omit<LastRun, 'files'>): LastRun {
  return { ...rest, files: noteFiles(out, files) };
}

/** The request for a run. */
interface Asked {
  readonly schemas: string;
  readonly out: string;
  /** Path of the allow file, if one is named. */
  readonly allow?: string | undefined;
  /** Whether definitions are compared with released ones, which may depend on the day. */
  readonly isGated: boolean;
}

/** A definition file, by the hash of its bytes. */
interface ReadFile {
  readonly path: string;
  readonly hash: string;
}

/** Reads the definition files; `undefined` if one cannot be read, which a run then reports. */
function readDefinitionFiles(schemas: string): readonly ReadFile[] | undefined {
  const { files, unreadable } = findFiles(schemas);
  if (unreadable.length > 0) return undefined;
  try {
    return files.map(({ path, absolute }) => ({ path, hash: hashOf(readFileSync(absolute)) }));
  } catch {
    return undefined;
  }
}

/**
 * Returns one hash of all inputs: the definition files, the promises, and the generator; `undefined` if one cannot be
 * read.
 */
function hashInputs({ schemas, out, allow, isGated }: Asked, files: readonly ReadFile[]): string | undefined {
  const hash = createHash('sha256');
  const add = (...texts: readonly string[]): void => {
    for (const text of texts) hash.update(`${text.length} ${text}`);
  };
  try {
    add(generatorStamp(), originOf(out, schemas) ?? '', isGated ? today() : '');
    for (const file of files) add(file.path, file.hash);
    const promised = lockFiles(schemas);
    add(promised === undefined ? 'nothing is promised' : 'lock');
    for (const path of promised ?? []) add(path, hashOf(readFileSync(join(schemas, path))));
    if (allow !== undefined) add(allow, hashOf(readFileSync(allow)));
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** Lists the files with promises, in the order of their paths; `undefined` if their folder does not exist. */
function lockFiles(schemas: string): readonly string[] | undefined {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(join(schemas, 'lock'), { recursive: true, withFileTypes: true });
  } catch {
    return undefined;
  }
  const files = entries.filter((entry) => !entry.isDirectory());
  return files
    .map(({ parentPath, name }) => relative(schemas, join(parentPath, name)).replaceAll(sep, '/'))
    .sort(compare);
}

/**
 * A file as it was read: its path, its hash, and its stamp. The stamp is empty if another content could have the same
 * one.
 */
export type SeenFile = readonly [path: string, hash: string, stamp: string];

/** Minimum age of a file's last change, in nanoseconds. After that, any new change gets a different time. */
const SETTLED = 100_000_000n;
/** The same for file systems with times in whole seconds. */
const SETTLED_COARSE = 2_000_000_000n;
const SECOND = 1_000_000_000n;

/** Records the files of a folder with known hashes. */
export function noteFiles(folder: string, files: Manifest): readonly SeenFile[] {
  return [...files].map(([path, hash]) => [path, hash, stampOf(join(folder, path))]);
}

/** Returns the current files. Does not read files that look unchanged. */
export function seeAgain(folder: string, seen: readonly SeenFile[]): Manifest {
  const found = new Map<string, string>();
  for (const [path, hash, stamp] of seen) {
    const absolute = join(folder, path);
    const now = stamp !== '' && stamp === stampOf(absolute) ? hash : hashOfFile(absolute);
    if (now !== undefined) found.set(path, now);
  }
  return found;
}

function stampOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || !isSettled(stats)) return '';
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

function isSettled({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const last = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const wait = last % SECOND === 0n ? SETTLED_COARSE : SETTLED;
  return BigInt(Date.now()) * 1_000_000n - last > wait;
}
