/** Loads the command of a build, with what V8 made of its text when it was built: parsing that takes longer than a start. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/**
 * The whole command: a function of `require`, the file's own name, and what imports modules whose names are only known
 * when it runs, as texts with a code cache cannot in all releases of Node.
 */
export const programFile = 'program.cjs';

/** What most kinds do with their objects; the program reads it once that is asked for. */
export const lateKindsFile = 'kinds.cjs';

/** The schemas of most kinds, and the tables of all that say how they are written in protobuf; both are read so, too. */
export const lateSchemasFile = 'schemas.cjs';
export const lateTablesFile = 'protobuf.cjs';

/** What V8 made of the program. */
export const codeCacheFile = 'program.cache';

export interface Program {
  /** Runs it, once. */
  run(): void;
  /** Whether the code cache was there, and of this release of Node with these flags of V8. */
  readonly cached: boolean;
  /** The code that V8 has compiled by now. */
  compiled(): Buffer;
}

/**
 * Loads the program of a folder. Without a cache that fits, all is as it is with one but for the time that it takes.
 * V8 itself refuses caches of other releases and flags; that a cache is of this very text is up to the build.
 */
export function loadProgram(folder: string): Program {
  const file = join(folder, programFile);
  const cache = join(folder, codeCacheFile);
  const pages = pagesFor(Math.max(...[file, cache].map(sizeOf)));
  // The build escapes what is not ASCII, and ASCII need not be decoded.
  const text = read(file, pages).toString('latin1');
  const cachedData = existsSync(cache) ? read(cache, pages) : undefined;
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) });
  return {
    run: () => {
      const main: unknown = script.runInThisContext();
      if (typeof main !== 'function') throw new Error(`${file} is not what the build makes`);
      Reflect.apply(main, undefined, [createRequire(file), file, (name: string) => import(name)]);
    },
    cached: cachedData !== undefined && script.cachedDataRejected === false,
    compiled: () => script.createCachedData(),
  };
}

/** How many bytes a file has; 0 where there is none. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Pages of their own, as resizable buffers have, for one file after the other. Given back, they go back to the system; after
 * an ordinary buffer of such a size, the C library would take that for the usual one, and keep as much free memory in each
 * thread.
 */
const pagesFor = (bytes: number): Buffer => Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }));

/** Reads a file into pages that are there, as getting new ones takes as long as reading it. */
function read(path: string, pages: Buffer): Buffer {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    for (let at = 0; at < size; ) {
      const length = readSync(file, pages, at, size - at, at);
      if (length === 0) throw new Error(`${path} has become shorter while it was read`);
      at += length;
    }
    return pages.subarray(0, size);
  } finally {
    closeSync(file);
  }
}
