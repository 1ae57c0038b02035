/** Traces of errors that a program of a build throws name places in its sources. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { transformSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameSourcePlaces } from '../../../../bin/launch/source-places.js';

const source = `
function find(wanted: string): never {
  throw new TypeError(\`no \${wanted}\`);
}
find('key');`;

describe('nameSourcePlaces', () => {
  const before = Error.prepareStackTrace;
  let folder: string;
  let program: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kindforge-places-'));
    program = join(folder, 'program.cjs');
  });
  afterEach(() => {
    Error.prepareStackTrace = before;
    rmSync(folder, { recursive: true, force: true });
  });

  /** The trace of what the program throws, without the frames of the test. */
  function traceOf(map?: string, filename = program): readonly string[] {
    const { code } = transformSync(source, { loader: 'ts', minify: true });
    if (map !== undefined) writeFileSync(`${program}.map`, map);
    nameSourcePlaces([program]);
    try {
      new Script(code, { filename }).runInThisContext({ displayErrors: false });
    } catch (error) {
      if (error instanceof Error) return (error.stack ?? '').split('\n').slice(0, 3);
    }
    throw new Error('the program throws nothing');
  }

  it('names them by the map beside the program', () => {
    const { map } = transformSync(source, { loader: 'ts', minify: true, sourcemap: true, sourcefile: '../../keys.ts' });
    expect(traceOf(map)).toEqual(['TypeError: no key', '    at keys.ts:3:9', '    at keys.ts:5:1']);
  });

  it('names them where the program was compiled in another folder', () => {
    const { map } = transformSync(source, { loader: 'ts', minify: true, sourcemap: true, sourcefile: '../../keys.ts' });
    expect(traceOf(map, '/elsewhere/program.cjs').slice(1)).toEqual(['    at keys.ts:3:9', '    at keys.ts:5:1']);
  });

  it.each([
    ['there is none', undefined],
    ['it is none', '42'],
    ['it says nothing', JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })],
  ])('names those in the program where %s', (_, map) => {
    const [message, first = ''] = traceOf(map);
    expect(message).toBe('TypeError: no key');
    expect(first).toContain(`${program}:1:`);
  });

  it('leaves frames of other files as they are', () => {
    nameSourcePlaces([program]);
    expect(new Error('here').stack).toMatch(/^Error: here\n {4}at .*source-places\.test\.ts:\d+:\d+/);
  });
});
