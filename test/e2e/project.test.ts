/**
 * The configuration of a project takes effect in `kindforge generate`, `serve` and `controllers`, without a program.
 */

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResourceClient } from '../../client/index.js';
import { builtCommand } from '../support/built-command.js';
import { eventually } from '../support/eventually.js';
import { makeFolder } from '../support/project-folder.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';

const folderFiles = {
  'package.json': '{ "type": "module" }',
  'kindforge.config.ts': `import { defineConfig } from 'kindforge/config';
import { defineWidgetHandlers } from './code/shop.example.com/v1/widgets/handlers.js';
import { pages } from './parts/pages.js';
import { counted } from './parts/counted.js';

export default defineConfig({
  schemas: 'definitions',
  out: 'code',
  naming: 'kubernetes',
  emitters: [pages],
  handlers: [defineWidgetHandlers({ warn: () => ['made of wood'] })],
  admissionPlugins: ['./parts/plugins.mjs'],
  authenticators: ['./parts/by-name.ts'],
  authorizers: [{ name: 'Guests', decide: ({ user }) => ({ decision: user.name === 'guest' ? 'allow' : 'no opinion' }) }],
  controllers: [counted],
  serve: { storage: 'memory', 'disable-admission-plugins': 'ServiceAccount', controllers: 'namespace' },
});
`,
  'parts/pages.ts': `export const pages = {
  name: 'pages',
  emitModel: ({ resources }: { resources: readonly unknown[] }) => [
    { path: 'pages/all.md', content: \`resources: \${resources.length}\\n\` },
  ],
};
`,
  'parts/plugins.mjs': `const refuse = (name) => ({
  name: \`No-\${name}\`,
  handles: ({ group }) => group === 'shop.example.com',
  validate: ({ name: given }) => given === name ? { reason: 'Forbidden', message: \`no \${name}\` } : undefined,
});
export default [refuse('red'), refuse('green')];
`,
  'parts/by-name.ts': `import type { Authenticator } from 'kindforge/contract';

const byName: Authenticator = {
  name: 'by-name',
  authenticate: ({ headers }) =>
    headers.authorization === 'Bearer guest-token'
      ? { user: { name: 'guest', uid: '', groups: [], extra: {} } }
      : undefined,
};
export default byName;
`,
  'parts/counted.ts': `import { setTimeout as sleep } from 'node:timers/promises';
import { appendFileSync } from 'node:fs';

export const counted = {
  name: 'counted',
  run: async ({ signal }: { signal: AbortSignal }) => {
    appendFileSync(new URL('../ran.txt', import.meta.url), 'ran\\n');
    await sleep(2_147_483_647, undefined, { signal }).catch(() => {});
  },
};
`,
  'definitions/widgets.yaml': `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: widgets.shop.example.com }
spec:
  group: shop.example.com
  names: { plural: widgets, kind: Widget }
  scope: Namespaced
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`,
};

describe('the configuration of a project', () => {
  let folder: string;
  let server: ServeProcess;
  beforeAll(async () => {
    folder = makeFolder(folderFiles);
    // The generated code has the handlers of the configuration.
    const generated = run('generate', '--project', 'none', '--schemas', '../definitions', '--out', '../code');
    expect(generated.status).toBe(0);
    server = await startServe('--project', folder);
  });
  afterAll(async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [builtCommand(), ...args], { cwd: join(folder, 'parts'), encoding: 'utf8' });

  const widgets = (warnings: string[] = []) =>
    createResourceClient(
      {
        group: 'shop.example.com',
        version: 'v1',
        plural: 'widgets',
        kind: 'Widget',
        scope: 'Namespaced',
        subresources: [],
      },
      { baseUrl: server.url, onWarning: (warning) => void warnings.push(warning) },
    ).in('default');

  it('makes generate run its emitters, and keep their files', () => {
    expect(run('generate').status).toBe(0);
    expect(readFileSync(join(folder, 'code/pages/all.md'), 'utf8')).toBe('resources: 1\n');
    expect(run('generate', '--check')).toMatchObject({ status: 0, stdout: '' });
    expect(run('check').stderr).toContain('1 resource without errors');
  });

  it('makes serve run its handlers and its plugins', async () => {
    const warnings: string[] = [];
    await widgets(warnings).create({ metadata: { name: 'one' } });
    expect(warnings).toEqual(['made of wood']);
    for (const name of ['red', 'green']) {
      await expect(widgets().create({ metadata: { name } })).rejects.toThrow(`no ${name}`);
    }
  });

  it('makes serve ask its authenticator and its authorizer', async () => {
    const codeFor = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${server.url}/api/v1/namespaces`, { headers })).status;
    };
    expect(await codeFor('guest-token')).toBe(200);
    expect(await codeFor('other-token')).toBe(401);
  });

  it('makes serve run its controller', async () => {
    await eventually(() => expect(readFileSync(join(folder, 'ran.txt'), 'utf8')).toBe('ran\n'));
  });

  it('has lower precedence than flags', async () => {
    const other = await startServe('--project', folder, '--naming', 'platform');
    try {
      const groups = await (await fetch(`${other.url}/apis`)).text();
      expect(groups).toContain('apps');
      expect(groups).toContain('rbac.authorization.platform.io');
      expect(await (await fetch(`${server.url}/apis`)).text()).toContain('rbac.authorization.k8s.io');
    } finally {
      await other.kill();
    }
  });

  it('makes its controllers run in a process of their own, too', async () => {
    const args = [builtCommand(), 'controllers', '--server', server.url, '--controllers', 'none'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk: unknown) => {
      printed += String(chunk);
    });
    await eventually(() => expect(printed).toContain('running: counted'));
    child.kill('SIGTERM');
  });

  it('makes convert read its definitions and names', () => {
    const object = '{"apiVersion":"shop.example.com/v1","kind":"Widget","metadata":{"name":"one"}}';
    const converted = spawnSync(process.execPath, [builtCommand(), 'convert', '-'], {
      cwd: folder,
      input: object,
      encoding: 'utf8',
    });
    expect(converted.stdout).toContain('kind: Widget');
  });
});
