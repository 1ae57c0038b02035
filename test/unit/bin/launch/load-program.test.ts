/** A program runs whatever has become of the code cache beside it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeCacheOf, isCompiledAhead, loadProgram, programFile } from '../../../../bin/launch/load-program.js';

const partFile = 'part.cjs';

/** A program that imports a module by a name that it makes up, and loads a part of itself. */
const text = `(function (require, __filename, importModule, loadPart) {
  const { pathToFileURL } = require('node:url');
  const name = __filename.replace('${programFile}', 'named.mjs');
  const part = loadPart('${partFile}')(20);
  globalThis.kindforgeLoaded = importModule(pathToFileURL(name).href).then((loaded) => loaded.name + part);
})`;

describe('loadProgram', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kindforge-launch-'));
    writeFileSync(join(folder, programFile), text);
    writeFileSync(join(folder, partFile), '((given) => given + 1)');
    writeFileSync(join(folder, 'named.mjs'), "export const name = 'named';");
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'kindforgeLoaded');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs it and tells what a module that it names exports, with what its part makes of 20. */
  async function run(): Promise<unknown> {
    loadProgram(folder).run();
    return await Reflect.get(globalThis, 'kindforgeLoaded');
  }
  const cached = (): readonly boolean[] => [programFile, partFile].map((file) => isCompiledAhead(folder, file));
  const writeCaches = (compiled: ReadonlyMap<string, Uint8Array>): void => {
    for (const [file, code] of compiled) writeFileSync(join(folder, codeCacheOf(file)), code);
  };

  it('runs without a cache', async () => {
    expect(cached()).toEqual([false, false]);
    expect(await run()).toBe('named21');
  });

  it('takes the code that was compiled before', async () => {
    const first = loadProgram(folder);
    first.run();
    writeCaches(first.compiled());
    expect(cached()).toEqual([true, true]);
    expect(await run()).toBe('named21');
  });

  it('runs with a cache that is broken, or of another text', async () => {
    writeCaches(new Map([programFile, partFile].map((file) => [file, Buffer.from('no cache')])));
    expect(cached()).toEqual([false, false]);
    expect(await run()).toBe('named21');
    writeCaches(loadProgram(folder).compiled());
    writeFileSync(join(folder, programFile), `${text}\n`);
    expect(isCompiledAhead(folder, programFile)).toBe(false);
    expect(await run()).toBe('named21');
  });

  it('refuses a program that no build has made', () => {
    writeFileSync(join(folder, programFile), '42');
    expect(() => loadProgram(folder).run()).toThrow('is not what the build makes');
  });
});
