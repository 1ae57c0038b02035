import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeCacheFile, isCompiledAhead, loadProgram, programFile, runProgram } from '../../../../bin/build/program.js';
import { testFolder } from '../../../support/scratch-folder.js';

/** A program that imports a module of Node, and prints its own name. */
const text = `(function (require, __filename) {
  globalThis.kindforgeLoaded = require('node:path').basename(__filename);
})`;

describe('a program', () => {
  let folder: string;
  beforeEach(() => {
    folder = testFolder();
    writeFileSync(join(folder, programFile), text);
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'kindforgeLoaded');
  });

  function run(): unknown {
    runProgram(folder, loadProgram(folder));
    return Reflect.get(globalThis, 'kindforgeLoaded');
  }
  const writeCache = (cache: Uint8Array): void => writeFileSync(join(folder, codeCacheFile), cache);

  it('runs without a cache', () => {
    expect(isCompiledAhead(folder)).toBe(false);
    expect(run()).toBe(programFile);
  });

  it('uses code that was compiled before', () => {
    const first = loadProgram(folder);
    runProgram(folder, first);
    writeCache(first.createCachedData());
    expect(isCompiledAhead(folder)).toBe(true);
    expect(run()).toBe(programFile);
  });

  it('runs with a cache that is broken, or of another text', () => {
    writeCache(Buffer.from('no cache'));
    expect(isCompiledAhead(folder)).toBe(false);
    expect(run()).toBe(programFile);
    writeCache(loadProgram(folder).createCachedData());
    writeFileSync(join(folder, programFile), `${text}\n`);
    expect(isCompiledAhead(folder)).toBe(false);
    expect(run()).toBe(programFile);
  });

  it('refuses other texts', () => {
    writeFileSync(join(folder, programFile), '1');
    expect(() => run()).toThrow('is not what the build makes');
  });
});
