/** From an empty folder and the packed tarball to a project that runs, in Node, browsers and Deno, without the checkout. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { chromium } from 'playwright-core';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledProject, installProject, installRuntimes } from '../support/installed/project.js';

const browser = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** The package is built and installed, beside other tests. */
const buildingMs = 600_000;

describe('the installed package', () => {
  let project: InstalledProject;
  let pages: Server;
  let server: { readonly found: string; stop(): Promise<void> };
  const pageUrl = (): string => `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;

  beforeAll(async () => {
    project = installProject();
    pages = await servePages(() => project.folder);
  }, buildingMs);
  afterAll(async () => {
    await server?.stop();
    pages?.close();
    project?.dispose();
  });

  it('has installed nothing that only some need, and not its tests', () => {
    const modules = join(project.folder, 'node_modules');
    for (const name of ['@grpc/grpc-js', 'protobufjs', 'unstorage', 'vitest', 'tsx']) {
      expect(existsSync(join(modules, name)), name).toBe(false);
    }
  });

  it('runs by npx: version, help, generate, check', async () => {
    expect((await project.run('npx', ['kindforge', '--version'])).text).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await project.run('npx', ['kindforge', 'generate'])).toMatchObject({ code: 0 });
    expect(await project.run('npx', ['kindforge', 'check'])).toMatchObject({ code: 0 });
    const doctor = await project.run('npx', ['kindforge', 'doctor', '-o', 'json', '--server', 'http://127.0.0.1:9']);
    expect(JSON.parse(doctor.text)).toMatchObject({ problems: 0 });
  });

  it.each(['tsconfig.json', 'tsconfig.bundler.json'])('type-checks under strict flags by %s', async (config) => {
    expect(await project.run('npx', ['tsc', '-p', config])).toEqual({ code: 0, text: '' });
  });

  it('serves, has its controller work, and is read by the generated client', async () => {
    const origin = pageUrl().replaceAll('.', '\\.');
    const flags = ['--schemas', 'schemas', '--storage', 'memory', '--allow-everyone', '--http-port', 'auto'];
    const where = ['--secure-port', '0', '--cors-allowed-origins', `^${origin}$`];
    server = await project.start('kindforge', ['serve', ...flags, ...where], /listening on\s+(\S+)/);
    const controllers = await project.start(
      'kindforge',
      ['controllers', '--server', server.found, '--controllers', 'none', '--module', 'out/maker.js'],
      /running: (\S+)/,
    );
    const applied = await project.run('npx', ['kindforge', 'apply', '-f', 'order.yaml', '--server', server.found]);
    expect(applied).toEqual({ code: 0, text: 'widgets.shop.example.com/door created\n' });
    const env = { SERVER: server.found };
    expect(await project.run('node', ['out/main.js'], env)).toEqual({ code: 0, text: 'door made 3\n' });
    await controllers.stop();
  });

  it('is tested with the runner of Node', async () => {
    const { code, text } = await project.run('node', ['--test', 'out/widgets.test.js']);
    expect(text).toContain('pass 1');
    expect(code).toBe(0);
  });

  it('is bundled for browsers by esbuild and by Vite, without anything of Node', async () => {
    const { folder: absWorkingDir } = project;
    await bundle({
      absWorkingDir,
      entryPoints: ['page.ts'],
      outfile: 'pages/esbuild.js',
      bundle: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    await viteBuild({
      root: absWorkingDir,
      configFile: false,
      logLevel: 'silent',
      build: { outDir: 'pages/vite', emptyOutDir: true, target: 'es2022' },
    });
    expect(readFileSync(join(absWorkingDir, 'pages/esbuild.js'), 'utf8')).not.toMatch(/\b(node:|require\()/);
  });

  it.skipIf(!browser).each(['/esbuild.html', '/vite/index.html'])(
    'reads the server from the page %s in a browser (skipped without Chromium)',
    async (path) => {
      const opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
      try {
        const page = await opened.newPage();
        await page.goto(`${pageUrl()}${path}?server=${encodeURIComponent(server.found)}`);
        await page.waitForFunction(() => document.title === 'done');
        expect(await page.textContent('body')).toContain('door: large');
      } finally {
        await opened.close();
      }
    },
  );

  it('says what to install for a store in etcd', async () => {
    const { code, text } = await project.run('kindforge', [
      'serve',
      '--allow-everyone',
      '--storage',
      'etcd:127.0.0.1:9',
    ]);
    expect(text).toContain('npm install @grpc/grpc-js protobufjs');
    expect(code).toBe(2);
  });

  it('runs under Node 22 and 24, and its client under Deno (skipped where npm has none of them)', async (context) => {
    const runtimes = installRuntimes(join(project.folder, 'runtimes'));
    if (runtimes === undefined) return context.skip();
    const env = { SERVER: server.found };
    for (const node of [runtimes.node22, runtimes.node24]) {
      expect(await project.run(node, ['out/main.js'], env)).toEqual({ code: 0, text: 'door made 3\n' });
      const tested = await project.run(node, ['--test', 'out/widgets.test.js']);
      expect(tested.text).toContain('pass 1');
      const command = join(project.folder, 'node_modules/kindforge/dist/bin/kindforge.cjs');
      const got = await project.run(node, [command, 'get', 'widgets', '-o', 'name', '--server', server.found]);
      expect(got).toEqual({ code: 0, text: 'widgets.shop.example.com/door\n' });
    }
    const args = ['run', '--allow-net', '--node-modules-dir=manual', '--no-lock', 'anywhere.mjs', server.found];
    expect((await project.run(runtimes.deno, args)).text).toBe('door\n');
  });
});

/** Serves the bundles of the project's pages. */
async function servePages(folder: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html');
    if (pathname === '/esbuild.html') {
      response.end('<!doctype html><body></body><script type="module" src="/esbuild.js"></script>');
      return;
    }
    // Vite writes addresses as from the root of its own folder.
    const path = pathname.replace(/^\/assets\//, '/vite/assets/');
    const file = join(folder(), 'pages', path);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
