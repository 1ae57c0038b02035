/** Loads the command of a build, with what V8 made of its text when it was built: parsing that takes longer than a start. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/**
 * The whole command: a function of `require`, the file's own name, what imports modules whose names are only known when it
 * runs, as texts with a code cache cannot in all releases of Node, and what loads the files below.
 */
export const programFile = 'program.cjs';

/** What most kinds do with their objects: a function of what generated functions import. */
export const lateKindsFile = 'kinds.cjs';

/** The schemas of most kinds, and the tables of all that say how they are written in protobuf: functions of nothing. */
export const lateSchemasFile = 'schemas.cjs';
export const lateTablesFile = 'protobuf.cjs';

export interface Program {
  /** Runs it, once. */
  run(): void;
  /** The code that V8 has compiled by now, of the program and of the files that it has loaded, by their names. */
  compiled(): ReadonlyMap<string, Buffer>;
}

/** The file with what V8 made of another one. */
export const codeCacheOf = (file: string): string => file.replace(/\.cjs$/, '.cache');

/**
 * Loads the program of a folder. Without a cache that fits, all is as it is with one but for the time that it takes.
 * V8 itself refuses caches of other releases and flags; that a cache is of this very text is up to the build.
 */
export function loadProgram(folder: string): Program {
  const program = scriptOf(folder, programFile);
  const scripts = new Map([[programFile, program]]);
  const file = join(folder, programFile);
  const loadPart = (name: string): unknown => {
    const part = scriptOf(folder, name);
    scripts.set(name, part);
    return functionOf(part, join(folder, name));
  };
  return {
    run: () => {
      const given = [createRequire(file), file, (name: string) => import(name), loadPart];
      Reflect.apply(functionOf(program, file), undefined, given);
    },
    compiled: () => new Map([...scripts].map(([name, script]) => [name, script.createCachedData()])),
  };
}

/** Whether a file's code cache is there, and of this release of Node with these flags of V8. */
export const isCompiledAhead = (folder: string, name: string): boolean =>
  scriptOf(folder, name).cachedDataRejected === false;

/** A file of a build, which is an expression of a function, with what V8 made of it where that is there. */
function scriptOf(folder: string, name: string): Script {
  const file = join(folder, name);
  const cache = join(folder, codeCacheOf(name));
  const pages = pagesFor(Math.max(...[file, cache].map(sizeOf)));
  // The build escapes what is not ASCII, and ASCII need not be decoded.
  const text = read(file, pages).toString('latin1');
  const cachedData = existsSync(cache) ? read(cache, pages) : undefined;
  return new Script(text, { filename: file, ...(cachedData && { cachedData }) });
}

type Callable = (...given: readonly unknown[]) => unknown;

function functionOf(script: Script, file: string): Callable {
  const found: unknown = script.runInThisContext();
  if (!isCallable(found)) throw new Error(`${file} is not what the build makes`);
  return found;
}

const isCallable = (value: unknown): value is Callable => typeof value === 'function';

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
