/** Files are recognized by their size, times and inode, unless a later change could look the same. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { noteFiles, type SeenFile, seeAgain } from '../../../../generator/commands/memory.js';
import { hashOf } from '../../../../generator/write/output-file.js';
import { testFolder } from '../../../support/scratch-folder.js';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

const write = (text: string): void => writeFileSync(join(folder, 'a.ts'), text);
const note = (text: string): readonly SeenFile[] => noteFiles(folder, new Map([['a.ts', hashOf(text)]]));
const settle = (): Promise<void> => setTimeout(150);

it('does not trust the time of a file that was written just now', async () => {
  write('one');
  expect(note('one')).toEqual([['a.ts', hashOf('one'), '']]);
  await settle();
  expect(note('one')[0]?.[2]).not.toBe('');
});

it('does not read a file again that looks the same', async () => {
  write('one');
  await settle();
  const [[path, , stamp] = ['', '', '']] = note('one');
  expect(seeAgain(folder, [[path, 'noted', stamp]])).toEqual(new Map([['a.ts', 'noted']]));
});

it('reads a file with another size, time or inode', async () => {
  write('one');
  await settle();
  const seen = note('noted before');
  write('two');
  await settle();
  expect(seeAgain(folder, seen)).toEqual(new Map([['a.ts', hashOf('two')]]));
  utimesSync(join(folder, 'a.ts'), new Date(), new Date(0));
  expect(seeAgain(folder, note('x'))).toEqual(new Map([['a.ts', hashOf('two')]]));
});

it('leaves out a file that is gone', () => {
  write('one');
  const seen = note('one');
  rmSync(join(folder, 'a.ts'));
  expect(seeAgain(folder, seen)).toEqual(new Map());
});
