/** `kindforge serve` as programs start it. It reports when it is ready, and ends with its parent. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadKubeconfig } from '../../client/node.js';
import { createClient } from '../../generated/client.js';
import { builtCommand } from '../support/built-command.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { runCommand, spawnCommand } from '../support/server-process.js';
import { root } from '../support/shared.js';

const flags = ['serve', '--storage', 'memory', '--http-port', 'auto', '--secure-port', 'auto'];
const patient = { timeout: 60_000 };

const folder = scratchFolder();

const firstLine = (text: string): string | undefined => /^(.*)\n/.exec(text)?.[1];

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a ready server', () => {
  it('prints one line of JSON with its address, and writes the same to a file', async () => {
    const file = join(folder, 'ready');
    writeFileSync(file, 'of an earlier server');
    const { child, ended, out } = spawnCommand(...flags, '--output', 'json', '--ready-file', file);
    await expect.poll(() => firstLine(out()), patient).toBeDefined();
    const notice = JSON.parse(firstLine(out()) ?? '');
    expect(notice).toEqual({
      address: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      plainAddress: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      kubeconfig: expect.stringMatching(/kubeconfig$/),
      pid: child.pid,
    });
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(`${firstLine(out())}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const api = createClient({ kubeconfig: loadKubeconfig({ path: notice.kubeconfig }) });
    expect((await api.core.v1.namespaces.list()).items.length).toBeGreaterThan(0);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, out: `${JSON.stringify(notice)}\n` });
    expect(existsSync(file)).toBe(false);
    expect(existsSync(notice.kubeconfig)).toBe(false);
  });

  it('has a kubeconfig, even if nobody needs credentials', async () => {
    const { child, ended, out } = spawnCommand(
      ...['serve', '--storage', 'memory', '--http-port', 'auto', '--secure-port', '0', '--allow-everyone'],
      ...['--output', 'json', '--quiet'],
    );
    await expect.poll(() => firstLine(out()), patient).toBeDefined();
    const { kubeconfig, address, plainAddress } = JSON.parse(firstLine(out()) ?? '');
    expect(address).toMatch(/^http:/);
    expect(plainAddress).toBeUndefined();
    const api = createClient({ kubeconfig: loadKubeconfig({ path: kubeconfig }) });
    expect((await api.core.v1.namespaces.get('default')).metadata.name).toBe('default');
    child.kill('SIGTERM');
    await ended;
  });

  it.each([
    [['--output', 'yaml'], '--output yaml: must be text or json'],
    [['--ready-file', ''], '--ready-file (nothing): must be the path of a file'],
  ])('refuses to start with %j', async (wrong, message) => {
    const { code, err } = await runCommand(...flags, ...wrong);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('names the ready file that it cannot write', async () => {
    const { code, err } = await runCommand(...flags, '--ready-file', join(folder, 'nowhere', 'ready'));
    expect(code).not.toBe(0);
    expect(err).toContain('nowhere/ready');
  });
});

describe('a server that ends with its parent', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('stops when %s ends the parent', async (signal) => {
    const file = join(folder, `parent-${signal}`);
    const program = `
      const { spawn } = require('node:child_process');
      const [command, ...args] = ${JSON.stringify([builtCommand(), ...flags, '--exit-with-parent', '--ready-file', file])};
      spawn(process.execPath, [command, ...args], { stdio: 'ignore' });
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', program], { cwd: root, stdio: 'ignore' });
    await expect.poll(() => existsSync(file), patient).toBe(true);
    const { pid } = JSON.parse(readFileSync(file, 'utf8'));
    expect(isThere(pid)).toBe(true);
    parent.kill(signal);
    await once(parent, 'exit');
    await expect.poll(() => isThere(pid), patient).toBe(false);
    // The server has stopped in order.
    expect(existsSync(file)).toBe(false);
  });
});
