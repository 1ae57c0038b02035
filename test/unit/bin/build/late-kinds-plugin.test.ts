/** A built server starts without the functions of late kinds, and has them when it is asked for such a kind. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lateKindsFile } from '../../../../bin/launch/load-program.js';
import { builtCommand } from '../../../support/built-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kindforge-late-'));
const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterEach(() => {
  for (const end of endings.splice(0).reverse()) end();
});

/** A server, and what it has read of the file so far. */
async function startTelling(): Promise<{ readonly url: string; readonly read: () => number }> {
  const telling = join(folder, 'telling.cjs');
  writeFileSync(
    telling,
    `const Module = require('node:module');
    const load = Module._load;
    Module._load = (name, ...given) => {
      if (name.endsWith(${JSON.stringify(lateKindsFile)})) process.stderr.write('read ');
      return load(name, ...given);
    };`,
  );
  const flags = ['serve', '--allow-everyone', '--http-port', '0', '--storage', 'memory'];
  const child = spawn(process.execPath, ['--require', telling, builtCommand(), ...flags], { stdio: 'pipe' });
  endings.push(() => child.kill('SIGKILL'));
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  let printed = '';
  for await (const text of child.stdout) {
    printed += text;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    if (url !== undefined) return { url, read: () => told.split('read ').length - 1 };
  }
  throw new Error(`the server said only: ${printed}`);
}

describe('a built server', () => {
  it('reads what late kinds do with their objects with the first request for one', { timeout: 60_000 }, async () => {
    const { url, read } = await startTelling();
    const post = async (plural: string, object: object): Promise<{ readonly code: number; readonly text: string }> => {
      const response = await fetch(`${url}/api/v1/namespaces/default/${plural}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(object),
      });
      return { code: response.status, text: await response.text() };
    };
    expect((await post('configmaps', { metadata: { name: 'one' } })).code).toBe(201);
    expect(read()).toBe(0);
    const spec = { containers: [{ name: 'main', image: 'web' }] };
    const created = await post('pods', { metadata: { name: 'one' }, spec });
    expect(created.code).toBe(201);
    // A default, which functions of the kind fill in.
    expect(JSON.parse(created.text).spec.restartPolicy).toBe('Always');
    const refused = await post('pods', {
      metadata: { name: 'two' },
      spec: { containers: [{ name: 'main', image: 1 }] },
    });
    expect(refused.code).toBe(400);
    expect(refused.text).toContain('Container.spec.containers.image');
    expect(read()).toBe(1);
  });
});
