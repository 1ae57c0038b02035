/** Loads the program of a build with the code that V8 compiled of it before: to compile it again takes a third of a start. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** The whole program: an expression of a function of `require`, the file's own name, and the module that it exports by. */
export const programFile = 'program.cjs';

/** The code that V8 compiled of it, in a file for each version of V8, which reject each other's code. */
export const codeCacheFile = `program-${process.versions.v8}-${process.arch}.cache`;

/** Reads the program of a folder. A code cache of another release of Node or of another text is left aside by V8. */
export function loadProgram(folder: string): Script {
  const filename = join(folder, programFile);
  const cache = join(folder, codeCacheFile);
  // The build escapes what is not ASCII, and ASCII need not be decoded.
  return new Script(readFileSync(filename, 'latin1'), {
    filename,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  });
}

/**
 * Keeps the code that V8 has compiled of a program until now, for later starts. Costs 0.1 s. Keeps nothing if the
 * folder is not this user's to write: later starts then compile again.
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

/** Calls one of the functions that a program exports. Throws if it has none of that name. */
export function callExport(exports: unknown, name: string): unknown {
  const found: unknown = typeof exports === 'object' && exports !== null ? Reflect.get(exports, name) : undefined;
  if (typeof found !== 'function') throw new Error(`the program of the build has no ${name}`);
  return Reflect.apply(found, undefined, []);
}

/** Reports whether V8 takes the code cache of the program in a folder. */
export const isCompiledAhead = (folder: string): boolean => loadProgram(folder).cachedDataRejected === false;
