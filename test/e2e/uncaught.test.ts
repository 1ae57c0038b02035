/** Errors that nobody catches, in `kindforge serve` with a plugin of a project: the log, the order of the stop, the code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtCommand } from '../support/built-command.js';
import { testFolder } from '../support/scratch-folder.js';

const files = {
  'package.json': '{ "type": "module" }',
  'kindforge.config.mjs': `export default {
  naming: 'kubernetes',
  admissionPlugins: ['./plugin.mjs'],
};
`,
  // ConfigMaps with these names cause an error after their request, during it, or twice.
  'plugin.mjs': `const fail = (text) => { throw new Error(text); };
export default {
  name: 'Failing',
  handles: (resource) => resource.names.plural === 'configmaps',
  async validate({ name }) {
    if (name === 'slow') await new Promise((resolve) => setTimeout(resolve, 500));
    if (name === 'timer') setTimeout(() => fail('of a timer'), 100);
    if (name === 'promise') setTimeout(() => { Promise.reject(new Error('of a promise')); }, 100);
    if (name === 'twice') {
      setTimeout(() => fail('the first'), 100);
      setTimeout(() => fail('the second'), 200);
    }
    return undefined;
  },
};
`,
};

let folder: string;
beforeEach(() => {
  folder = testFolder(files);
});

interface Running {
  readonly url: string;
  create(name: string): Promise<number>;
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>;
  kill(): void;
}

async function start(...flags: readonly string[]): Promise<Running> {
  const own = ['--project', folder, '--storage', `lmdb:${join(folder, 'data')}`, '--allow-everyone'];
  const ports = ['--http-port', 'auto', '--secure-port', '0'];
  const child = spawn(process.execPath, [builtCommand(), 'serve', ...ports, ...own, ...flags]);
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = once(child, 'exit').then(([code]) => ({ code, err }));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const found = /listening on\s+(\S+)/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`serve ended: ${err}`)));
  });
  const create = async (name: string): Promise<number> => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/api/v1/namespaces/default/configmaps`, { method: 'POST', headers, body })).status;
  };
  return { url, create, ended, kill: () => child.kill('SIGKILL') };
}

describe('an error that nobody catches', () => {
  it.each([
    ['timer', 'of a timer'],
    ['promise', 'of a promise'],
  ])(
    'of a %s is logged with the requests in progress, and the server answers these before it ends',
    async (name, text) => {
      const server = await start();
      expect(await server.create('before')).toBe(201);
      const failing = server.create(name);
      const slow = server.create('slow');
      expect([await failing, await slow]).toEqual([201, 201]);
      const { code, err } = await server.ended;
      expect(code).toBe(1);
      // The server's own requests at its start may be in progress, too.
      expect(err).toMatch(/uncaught error; the server stops, with .*POST \/api\/v1\/namespaces\/default\/configmaps/);
      expect(err).toContain(`Error: ${text}`);
      // Acknowledged objects exist after the next start.
      const again = await start();
      for (const each of ['before', name, 'slow']) {
        expect((await fetch(`${again.url}/api/v1/namespaces/default/configmaps/${each}`)).status).toBe(200);
      }
      again.kill();
      await again.ended;
    },
  );

  it('makes the server unready first, until the shutdown delay ends', async () => {
    const server = await start('--shutdown-delay-duration', '2s');
    expect(await server.create('timer')).toBe(201);
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 1900 }).toBe(500);
    expect(await server.create('late')).toBe(201);
    expect((await server.ended).code).toBe(1);
  });

  it('ends the process at once if it is the second error', async () => {
    const server = await start('--shutdown-delay-duration', '1h');
    expect(await server.create('twice')).toBe(201);
    const { code, err } = await server.ended;
    expect(code).toBe(1);
    expect(err).toContain('Error: the first');
    expect(err).toContain('uncaught error; the process ends at once: Error: the second');
  });
});
