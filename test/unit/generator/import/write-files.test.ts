/** Imported definitions are written all together, or not at all. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { FilesExistError, writeFiles } from '../../../../generator/import/write-files.js';
import { testFolder } from '../../../support/scratch-folder.js';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

const imported = [
  { path: 'a.yaml', value: { a: 1 } },
  { path: 'b/c.yaml', value: { c: 1 } },
];

it('writes them, and does not overwrite other files', () => {
  writeFiles(join(folder, 'new'), imported, false);
  expect(readdirSync(join(folder, 'new'), { recursive: true }).sort()).toEqual(['a.yaml', 'b', 'b/c.yaml']);
  expect(() => writeFiles(join(folder, 'new'), imported, false)).toThrow(FilesExistError);
});

it('leaves every file unchanged if one cannot be written', () => {
  writeFileSync(join(folder, 'a.yaml'), 'mine');
  mkdirSync(join(folder, 'b/c.yaml/in'), { recursive: true });
  expect(() => writeFiles(folder, imported, true)).toThrow(/c\.yaml/);
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('mine');
  expect(readdirSync(folder).sort()).toEqual(['a.yaml', 'b']);
});
