/** A generation that fails at any step leaves every file unchanged. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createGenerator, type Generated } from '../../../../generator/commands/generate.js';
import type { Emitter } from '../../../../generator/emit/emitter.js';
import { readManifest } from '../../../../generator/write/manifest.js';
import { openOutput } from '../../../../generator/write/output-folder.js';
import { claimFolder } from '../../../../generator/write/staged-files.js';
import { startChild } from '../../../support/child.js';
import { nativeResource } from '../../../support/kinds.js';
import { readFiles, testFolder } from '../../../support/scratch-folder.js';

let root: string;
beforeEach(() => {
  root = testFolder();
  mkdirSync(join(root, 'schemas', 'lock'), { recursive: true });
  define('a');
});

/** Writes a definition with one field, which has a number in the lock. */
const define = (field: string): void => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
  };
  const ants = nativeResource({ kind: 'Ant', scope: 'Cluster', schema });
  writeFileSync(join(root, 'schemas', 'ants.yaml'), JSON.stringify(ants));
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

/** Returns every file and folder with its content. */
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

describe('a run with an emitter that fails', () => {
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

  test('writes everything once it can', () => {
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

describe('a folder that several runs write into', () => {
  const out = (): string => join(root, 'deep', 'out');
  const child = (name: string, rounds = 1) =>
    startChild('generating-child.ts', [join(root, 'schemas'), out(), name, String(rounds)]);

  test('has the files of one run only, however many run at once', async () => {
    const children = [child('one', 8), child('two', 8)];
    await Promise.all(children.map((each) => each.ended()));
    expect(children.map(({ process }) => process.exitCode)).toEqual([0, 0]);
    const present = [...readFiles(out())].filter(([path]) => path !== 'manifest.json');
    const contents = present.map(([, content]) => content);
    expect(contents).toHaveLength(51);
    expect(new Set(contents).size).toBe(1);
    expect(readManifest(out()).size).toBe(51);
  });

  test('refuses a run if the folder has changed since the run began', () => {
    const [first, second] = [openOutput(out()), openOutput(out())];
    first.add({ path: 'a.txt', content: '1' });
    second.add({ path: 'b.txt', content: '2' });
    second.finish();
    const before = everything();
    expect(first.finish()).toBe('moved');
    expect(everything()).toEqual(before);
  });

  /** Leaves the unfinished changes of a process that was killed. */
  const leave = (owner: number): void => {
    generate({ 'a.txt': '1', 'b/c.txt': '1' });
    const files = {
      'owner.json': JSON.stringify({ process: owner, host: hostname() }),
      'plan.json': JSON.stringify({ kept: ['a.txt', 'b/c.txt'], added: ['d/e.txt'], folders: ['d'] }),
      'old/a.txt': readFileSync(join(out(), 'a.txt')),
      'old/b/c.txt': readFileSync(join(out(), 'b/c.txt')),
    };
    for (const folder of ['.writing/old/b', 'd']) mkdirSync(join(out(), folder), { recursive: true });
    for (const [path, content] of Object.entries(files)) writeFileSync(join(out(), '.writing', path), content);
    rmSync(join(out(), 'b'), { recursive: true });
    writeFileSync(join(out(), 'a.txt'), '2');
    writeFileSync(join(out(), 'd/e.txt'), '2');
  };

  test('is first restored to its state before a killed run', () => {
    generate({ 'a.txt': '1', 'b/c.txt': '1' });
    const before = everything();
    leave(spawnSync('true').pid);
    claimFolder(out()).release();
    expect(everything()).toEqual(before);
  });

  test('is not changed while another run holds its lock', () => {
    leave(process.ppid);
    const before = everything();
    expect(() => claimFolder(out(), 40)).toThrow(/another process has been writing into it .* remove .*\.writing$/);
    expect(everything()).toEqual(before);
  });

  test('is complete before a signal ends the process', async () => {
    const stopped = child('stopped');
    await stopped.ended();
    expect(stopped.process.signalCode).toBe('SIGTERM');
    expect(readManifest(out()).size).toBe(51);
    expect(existsSync(join(out(), '.writing'))).toBe(false);
  });
});
