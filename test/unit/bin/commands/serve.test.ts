import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtCommand } from '../../../support/built-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kindforge-banner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('kindforge serve', () => {
  it('stops and fails where its banner cannot be printed', { timeout: 60_000 }, () => {
    const broken = join(folder, 'broken.cjs');
    writeFileSync(broken, `process.stdout.write = () => { throw new Error('the terminal is gone'); };`);
    const flags = ['serve', '--allow-everyone', '--http-port', 'auto', '--secure-port', '0', '--storage', 'memory'];
    const args = ['--require', broken, builtCommand(), ...flags];
    const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
    expect({ status, signal }).toEqual({ status: 2, signal: null });
    expect(stderr).toContain('the terminal is gone');
  });
});
