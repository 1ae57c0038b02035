/** A generation that fails, wherever it does, leaves every file as it was. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGenerator, type Generated } from '../../../../generator/commands/generate.js';
import type { Emitter } from '../../../../generator/emit/emitter.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kindforge-whole-'));
  mkdirSync(join(root, 'schemas', 'lock'), { recursive: true });
  define('a');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A definition with one field, which the lock promises a number for. */
const define = (field: string): void => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
  };
  const definition = {
    apiVersion: 'kindforge.dev/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'ants.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'ants', kind: 'Ant' },
      scope: 'Cluster',
      versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }],
    },
  };
  writeFileSync(join(root, 'schemas', 'ants.yaml'), JSON.stringify(definition));
};

const emitterOf = (files: Readonly<Record<string, string>>, fails: boolean): Emitter => ({
  name: 'text',
  emitResource: () => Object.entries(files).map(([path, content]) => ({ path, content })),
  emitModel: () => {
    if (fails) throw new Error('the last file cannot be printed');
    return [];
  },
});

const generate = (files: Readonly<Record<string, string>>, fails = false): Generated =>
  createGenerator({
    schemas: join(root, 'schemas'),
    out: join(root, 'deep', 'out'),
    emitters: [emitterOf(files, fails)],
  }).run();

/** Every file and folder with its content. */
const everything = (): unknown =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => [join(entry.parentPath, entry.name), entry] as const)
    .map(([path, entry]) => [path, entry.isFile() ? readFileSync(path, 'utf8') : undefined])
    .sort();

const expectUntouched = (attempt: () => unknown): void => {
  const before = everything();
  expect(attempt).toThrow();
  expect(everything()).toEqual(before);
};

describe('a run whose emitter fails', () => {
  test('makes no folder', () => {
    expectUntouched(() => generate({ 'a.txt': '1' }, true));
    expect(existsSync(join(root, 'deep'))).toBe(false);
  });

  test('changes neither the output nor the lock', () => {
    generate({ 'a.txt': '1', 'b/c.txt': '1' });
    define('b');
    expectUntouched(() => generate({ 'a.txt': '2', 'd/e.txt': '2' }, true));
  });
});

describe('a run that cannot put a file in its place', () => {
  test.each([
    ['a folder is where a file is to be', 'z', () => mkdirSync(join(root, 'deep/out/z/in'), { recursive: true })],
    ['a file is where a folder is to be', 'z/y', () => writeFileSync(join(root, 'deep/out/z'), 'mine')],
  ])('leaves the output and the lock as they were: %s', (_, path, stand) => {
    generate({ 'a.txt': '1', 'b/c.txt': '1' });
    define('b');
    stand();
    expectUntouched(() => generate({ 'a.txt': '2', 'd/e.txt': '2', [path]: '2' }));
  });

  test('does all of it once it can', () => {
    generate({ 'a.txt': '1', 'b/c.txt': '1' });
    writeFileSync(join(root, 'deep/out/z'), 'mine');
    expect(() => generate({ 'a.txt': '2', 'z/y': '2' })).toThrow();
    rmSync(join(root, 'deep/out/z'));
    define('b');
    generate({ 'a.txt': '2', 'z/y': '2' });
    expect(readdirSync(join(root, 'deep/out'), { recursive: true }).sort()).toEqual([
      'a.txt',
      'manifest.json',
      'z',
      'z/y',
    ]);
    expect(readFileSync(join(root, 'schemas/lock/protobuf.json'), 'utf8')).toContain('"b"');
  });
});
