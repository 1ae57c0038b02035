import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isSafePath, printManifest, readManifest } from '../../../../generator/write/manifest.js';
import { hashOf } from '../../../../generator/write/output-file.js';
import { type GenerationResult, type OutputOptions, openOutput } from '../../../../generator/write/output-folder.js';
import { readFiles, testFolder } from '../../../support/scratch-folder.js';

let folder: string;
beforeEach(() => {
  folder = join(testFolder(), 'out');
});

const generate = (files: Record<string, string>, options?: OutputOptions): GenerationResult => {
  const output = openOutput(folder, options);
  for (const [path, content] of Object.entries(files)) output.add({ path, content });
  const outcome = output.finish();
  if (outcome === 'moved') throw new Error('another process generates here');
  return outcome;
};
const differences = (outcome: GenerationResult): string[] =>
  outcome.differences.map(({ kind, path }) => `${kind} ${path}`);
const files = (): string[] => [...readFiles(folder).keys()];

describe('writing', () => {
  test('writes files and the list of them', () => {
    generate({ 'b/c.ts': 'c\n', 'a.ts': 'a\n' });
    expect(files()).toEqual(['a.ts', 'b/c.ts', 'manifest.json']);
    expect([...readManifest(folder)]).toEqual([
      ['a.ts', hashOf('a\n')],
      ['b/c.ts', hashOf('c\n')],
    ]);
  });

  test('does not write unchanged files again', () => {
    generate({ 'a.ts': 'a', 'b.ts': 'b' });
    for (const path of files()) utimesSync(join(folder, path), 1_000, 1_000);
    expect(differences(generate({ 'a.ts': 'a', 'b.ts': 'B' }))).toEqual(['changed b.ts', 'changed manifest.json']);
    expect(statSync(join(folder, 'a.ts')).mtimeMs).toBe(1_000_000);
    expect(readFileSync(join(folder, 'b.ts'), 'utf8')).toBe('B');
  });

  test('restores files that were changed or removed by hand', () => {
    generate({ 'a.ts': 'a', 'b.ts': 'b' });
    writeFileSync(join(folder, 'a.ts'), 'mine');
    rmSync(join(folder, 'b.ts'));
    expect(differences(generate({ 'a.ts': 'a', 'b.ts': 'b' }))).toEqual(['changed a.ts', 'missing b.ts']);
  });

  test('does not depend on the order of files', () => {
    generate({ 'a.ts': 'a', 'b.ts': 'b' });
    const before = readFileSync(join(folder, 'manifest.json'), 'utf8');
    expect(differences(generate({ 'b.ts': 'b', 'a.ts': 'a' }))).toEqual([]);
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe(before);
  });
});

describe('removing', () => {
  test('removes files that are no longer generated, and empty folders', () => {
    generate({ 'a.ts': 'a', 'b/c/d.ts': 'd' });
    expect(differences(generate({ 'a.ts': 'a' }))).toEqual(['stale b/c/d.ts', 'changed manifest.json']);
    expect(files()).toEqual(['a.ts', 'manifest.json']);
    expect(existsSync(join(folder, 'b'))).toBe(false);
  });

  test('keeps files that others wrote', () => {
    generate({ 'a.ts': 'a', 'b/c.ts': 'c' });
    writeFileSync(join(folder, 'b/mine.ts'), 'mine');
    generate({ 'a.ts': 'a' });
    expect(files()).toEqual(['a.ts', 'b/mine.ts', 'manifest.json']);
  });

  test('keeps and reports files that others have changed', () => {
    generate({ 'a.ts': 'a', 'b.ts': 'b' });
    writeFileSync(join(folder, 'b.ts'), 'mine');
    expect(generate({ 'a.ts': 'a' }).kept).toEqual(['b.ts']);
    expect(readFileSync(join(folder, 'b.ts'), 'utf8')).toBe('mine');
  });

  test('does not follow a list that leads out of the folder', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '../precious.ts'), 'x');
    const list = { '../precious.ts': hashOf('x'), 'a//b.ts': 'y', '/etc/passwd': 'z', 'ok.ts': 5 };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files: list }));
    generate({ 'a.ts': 'a' });
    expect(existsSync(join(folder, '../precious.ts'))).toBe(true);
  });

  test.each(['', '[]', '{"files": 5}', '\0', '{'])('ignores a list that it cannot read: %j', (text) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'manifest.json'), text);
    expect(readManifest(folder).size).toBe(0);
  });
});

describe('checking', () => {
  test('writes nothing, and reports every difference', () => {
    generate({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
    writeFileSync(join(folder, 'b.ts'), 'mine');
    rmSync(join(folder, 'a.ts'));
    const outcome = generate({ 'a.ts': 'a', 'b.ts': 'b', 'd.ts': 'd' }, { check: true });
    expect(differences(outcome)).toEqual([
      'missing a.ts',
      'changed b.ts',
      'stale c.ts',
      'missing d.ts',
      'changed manifest.json',
    ]);
    expect(files()).toEqual(['b.ts', 'c.ts', 'manifest.json']);
    expect(readFileSync(join(folder, 'b.ts'), 'utf8')).toBe('mine');
  });

  test('does not create a folder that does not exist', () => {
    expect(differences(generate({ 'a.ts': 'a' }, { check: true }))).toEqual(['missing a.ts', 'missing manifest.json']);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('paths', () => {
  test.each(['../a', 'a/../b', '/a', 'a//b', './a', 'a\\b', '', 'a\0', 'manifest.json'])('%j is refused', (path) => {
    expect(() => generate({ [path]: 'x' })).toThrow();
  });

  test('two files with one path are refused', () => {
    const output = openOutput(folder);
    output.add({ path: 'a', content: '1' });
    expect(() => output.add({ path: 'a', content: '1' })).toThrow('two emitters write `a`');
  });

  test('isSafePath', () => {
    expect(isSafePath('a/b..c/.d')).toBe(true);
  });
});

test('the list has one line per file', () => {
  const text = printManifest(
    new Map([
      ['b', '2'],
      ['a "quoted"', '1'],
    ]),
  );
  expect(text.split('\n').slice(3, 5)).toEqual(['    "a \\"quoted\\"": "1",', '    "b": "2"']);
  expect(JSON.parse(text).files).toEqual({ 'a "quoted"': '1', b: '2' });
});
