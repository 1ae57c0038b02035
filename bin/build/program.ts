/** Loads the program of a build from V8's code cache. Without the cache, a third of the start is compilation. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** The whole program, as one function of `require`, the file's name and `module`. */
export const programFile = 'program.cjs';

/** V8's code cache of the program. Each version of V8 has its own file, because it rejects other caches. */
export const codeCacheFile = `program-${process.versions.v8}-${process.arch}.cache`;

/** Reads the program of a folder. V8 ignores a code cache from another release of Node or of another text. */
export function loadProgram(folder: string): Script {
  const filename = join(folder, programFile);
  const cache = join(folder, codeCacheFile);
  // The program is ASCII, because the build escapes everything else. Reading it as latin1 is fast.
  return new Script(readFileSync(filename, 'latin1'), {
    filename,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  });
}

/**
 * Saves the code that V8 has compiled so far, for later starts. Takes 0.1 s. Saves nothing if this user cannot write to
 * the folder; later starts then compile again.
 */
export function keepCode(folder: string, program: Script): void {
  const file = join(folder, codeCacheFile);
  const making = `${file}.${process.pid}`;
  try {
    writeFileSync(making, program.createCachedData());
    renameSync(making, file);
  } catch {
    rmSync(making, { force: true });
  }
}

/** Runs the program, once. Returns what it exports. */
export function runProgram(folder: string, program: Script): unknown {
  const filename = join(folder, programFile);
  const main: unknown = program.runInThisContext();
  if (typeof main !== 'function') throw new Error(`${filename} is not what the build makes`);
  const module = { exports: {} };
  Reflect.apply(main, undefined, [createRequire(filename), filename, module]);
  return module.exports;
}

/** Calls a function that a program exports. Throws if it has none with this name. */
export function callExport(exports: unknown, name: string): unknown {
  const found: unknown = typeof exports === 'object' && exports !== null ? Reflect.get(exports, name) : undefined;
  if (typeof found !== 'function') throw new Error(`the program of the build has no ${name}`);
  return Reflect.apply(found, undefined, []);
}

/** Reports whether V8 accepts the code cache of the program in a folder. */
export const isCompiledAhead = (folder: string): boolean => loadProgram(folder).cachedDataRejected === false;
