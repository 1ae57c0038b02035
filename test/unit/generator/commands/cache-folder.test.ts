/** The cache is in the project, is written as a whole, and stays small. */
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { cacheFolder, readEntry, writeEntry } from '../../../../generator/commands/cache-folder.js';
import { testFolder } from '../../../support/scratch-folder.js';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

it("is in the nearest node_modules, or in the user's cache folder outside of projects", () => {
  mkdirSync(join(folder, 'project/node_modules'), { recursive: true });
  mkdirSync(join(folder, 'project/below'));
  expect(cacheFolder(join(folder, 'project/below'))).toBe(join(folder, 'project/node_modules/.cache/kindforge'));
  expect(cacheFolder(folder)).toMatch(/\/kindforge$/);
  expect(cacheFolder(folder)).not.toContain('node_modules');
});

it('returns the last value written, and nothing for unknown keys', () => {
  writeEntry(folder, 'a', 'one');
  writeEntry(folder, 'a', 'two');
  expect(readEntry(folder, 'a')?.toString()).toBe('two');
  expect(readEntry(folder, 'b')).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['a']);
});

it('removes the oldest entries', () => {
  for (let index = 0; index < 70; index++) {
    writeEntry(folder, `e${index}`, 'x');
    utimesSync(join(folder, `e${index}`), index, index);
  }
  writeEntry(folder, 'last', 'x');
  expect(readdirSync(folder)).toHaveLength(64);
  expect(readEntry(folder, 'e69')).toBeDefined();
  expect(readEntry(folder, 'e0')).toBeUndefined();
});
