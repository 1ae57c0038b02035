/** A program runs whatever has become of the code cache beside it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeCacheFile, loadProgram, programFile } from '../../../../bin/launch/load-program.js';

/** A program that imports a module by a name that it makes up. */
const text = `(function (require, __filename, importModule) {
  const { pathToFileURL } = require('node:url');
  const name = __filename.replace('${programFile}', 'named.mjs');
  globalThis.kindforgeLoaded = importModule(pathToFileURL(name).href).then((loaded) => loaded.name);
})`;

describe('loadProgram', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kindforge-launch-'));
    writeFileSync(join(folder, programFile), text);
    writeFileSync(join(folder, 'named.mjs'), "export const name = 'named';");
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'kindforgeLoaded');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs it and tells what a module that it names exports. */
  async function run(): Promise<{ readonly cached: boolean; readonly name: unknown }> {
    const program = loadProgram(folder);
    program.run();
    return { cached: program.cached, name: await Reflect.get(globalThis, 'kindforgeLoaded') };
  }
  const writeCache = (bytes: Uint8Array): void => writeFileSync(join(folder, codeCacheFile), bytes);

  it('runs without a cache', async () => {
    expect(await run()).toEqual({ cached: false, name: 'named' });
  });

  it('takes the code that was compiled before', async () => {
    const first = loadProgram(folder);
    first.run();
    writeCache(first.compiled());
    expect(await run()).toEqual({ cached: true, name: 'named' });
  });

  it('runs with a cache that is broken, or of another text', async () => {
    writeCache(Buffer.from('no cache'));
    expect(await run()).toEqual({ cached: false, name: 'named' });
    const { compiled } = loadProgram(folder);
    writeCache(compiled());
    writeFileSync(join(folder, programFile), `${text}\n`);
    expect(await run()).toEqual({ cached: false, name: 'named' });
  });

  it('refuses a program that no build has made', () => {
    writeFileSync(join(folder, programFile), '42');
    expect(() => loadProgram(folder).run()).toThrow('is not what the build makes');
  });
});
