import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findFiles } from '../../../../generator/load/find-files.js';
import { MAX_FILE_BYTES } from '../../../../generator/load/limits.js';
import { loadFolder } from '../../../../generator/load/load-folder.js';
import { printManifest } from '../../../../generator/write/manifest.js';
import { testFolder } from '../../../support/scratch-folder.js';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const paths = (): string[] => findFiles(folder).files.map((file) => file.path);

describe('findFiles', () => {
  test('takes YAML and JSON at any depth, in order', () => {
    for (const path of ['b.yaml', 'a/c.yml', 'a/b/d.json', 'A.YAML', 'readme.md', 'yaml']) write(path, '');
    expect(paths()).toEqual(['A.YAML', 'a/b/d.json', 'a/c.yml', 'b.yaml']);
  });

  test('leaves out hidden files, locks, dependencies and the schemas of the format', () => {
    for (const path of ['.a.yaml', '.git/b.yaml', 'lock/c.yaml', 'node_modules/d.yaml', 'meta/e.schema.json'])
      write(path, '');
    write('deep/lock/f.yaml', '');
    expect(paths()).toEqual(['deep/lock/f.yaml']);
  });

  test("leaves out the generator's output", () => {
    write('out/manifest.json', printManifest(new Map([['openapi/v2.json', 'x']])));
    write('out/openapi/v2.json', '{}');
    write('other/manifest.json', '{}');
    expect(paths()).toEqual(['other/manifest.json']);
  });

  test('follows links once and never in circles', () => {
    write('real/a.yaml', '');
    symlinkSync('real', join(folder, 'again'));
    symlinkSync('..', join(folder, 'real/up'));
    symlinkSync('real/a.yaml', join(folder, 'zz.yaml'));
    expect(paths()).toEqual(['again/a.yaml']);
    expect(findFiles(folder).unreadable).toEqual([]);
  });

  test('reports links that cannot be followed', () => {
    symlinkSync('nowhere', join(folder, 'broken.yaml'));
    symlinkSync('loop.yaml', join(folder, 'loop.yaml'));
    symlinkSync('/dev/zero', join(folder, 'zero.yaml'));
    expect(findFiles(folder).unreadable).toEqual([
      { path: 'broken.yaml', message: 'does not exist' },
      { path: 'loop.yaml', message: 'is a symbolic link that leads to itself' },
      { path: 'zero.yaml', message: 'is neither a file nor a folder' },
    ]);
  });

  test('reports a folder that is not a folder', () => {
    const none = join(folder, 'none');
    expect(findFiles(none).unreadable).toEqual([{ path: '.', message: `${none} does not exist` }]);
    write('file', '');
    const file = join(folder, 'file');
    expect(findFiles(file).unreadable).toEqual([{ path: '.', message: `${file} is not a folder` }]);
  });
});

describe('loadFolder', () => {
  test('does not parse unchanged files again', () => {
    write('a.yaml', 'a: 1');
    write('b.yaml', 'b: 1');
    const first = loadFolder(folder);
    write('b.yaml', 'b: 2');
    write('a.yaml', 'a: 1');
    const second = loadFolder(folder, first);
    expect(second.files[0]).toBe(first.files[0]);
    expect(second.files[1]?.documents).toEqual([{ b: 2 }]);
  });

  test('forgets removed files', () => {
    write('a.yaml', 'a: 1');
    const first = loadFolder(folder);
    rmSync(join(folder, 'a.yaml'));
    expect(loadFolder(folder, first).files).toEqual([]);
  });

  test('refuses files that are too large without reading them', () => {
    write('a.yaml', Buffer.alloc(MAX_FILE_BYTES + 1));
    expect(loadFolder(folder).files[0]?.problems.map((each) => each.code)).toEqual(['KF1005']);
  });

  test('reports its progress', () => {
    write('a.yaml', '');
    write('b.yaml', '');
    const steps: unknown[] = [];
    loadFolder(folder, undefined, (...step) => steps.push(step));
    expect(steps).toEqual([
      [1, 2, 'a.yaml', 'reading'],
      [2, 2, 'b.yaml', 'reading'],
    ]);
  });
});
