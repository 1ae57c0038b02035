import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openRotatingFile } from '../../../../plugins/audit/rotating-file.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const disk = scratchFolder();
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (hasDisk) spawnSync('umount', [disk]);
});

it.runIf(hasDisk)(
  'a line that does not fit leaves nothing behind, and the next one that does is complete',
  async () => {
    const path = join(disk, 'log');
    const filler = join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(40_000));
    const log = openRotatingFile(path, { maxBytes: 1e9, maxAgeDays: 0, maxBackups: 0, compress: false }, () => {});
    log.append('first\n');
    expect(() => log.append(`${'x'.repeat(100_000)}\n`)).toThrow('ENOSPC');
    rmSync(filler);
    log.append('second\n');
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
  },
);

it('opens a new file if the file or its folder was removed', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'kindforge-log-')), 'logs');
  mkdirSync(folder);
  const path = join(folder, 'log');
  const log = openRotatingFile(path, { maxBytes: 8, maxAgeDays: 0, maxBackups: 0, compress: false }, () => {});
  log.append('first\n');
  rmSync(path);
  log.append('second\n');
  expect(readFileSync(path, 'utf8')).toBe('second\n');
  rmSync(folder, { recursive: true });
  expect(() => log.append('third\n')).toThrow('ENOENT');
  mkdirSync(folder);
  log.append('fourth\n');
  expect(readFileSync(path, 'utf8')).toBe('fourth\n');
  await log.close();
  rmSync(join(folder, '..'), { recursive: true });
});
