import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtCommand } from '../../../support/built-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

describe('kindforge serve', () => {
  it('stops and fails if its banner cannot be printed', { timeout: 60_000 }, () => {
    const broken = join(folder, 'broken.cjs');
    writeFileSync(broken, `process.stdout.write = () => { throw new Error('the terminal is gone'); };`);
    const flags = ['serve', '--allow-everyone', '--http-port', 'auto', '--secure-port', '0', '--storage', 'memory'];
    const args = ['--require', broken, builtCommand(), ...flags];
    const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
    expect({ status, signal }).toEqual({ status: 2, signal: null });
    expect(stderr).toContain('the terminal is gone');
  });
});
