/**
 * Makes a project from an empty folder and the packed tarball, and runs it in Node, browsers and Deno, without the
 * checkout.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { chromium } from 'playwright-core';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { browser } from '../../test/support/browser.js';
import { type InstalledProject, installProject, installRuntimes } from '../../test/support/installed/project.js';
import { runStage } from '../../test/support/installed/run-stage.js';
import { manifest } from '../../test/support/package-build.js';
import { root } from '../../test/support/shared.js';

/** The time for building and installing the package, while other tests run. */
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

  it('is made by npm create, once', async () => {
    expect(project.created).toContain('shop/schemas/widgets.yaml\n');
    expect(project.created).toContain('  cd shop\n  npm install\n  npm run dev');
    const again = await project.run('npx', ['kindforge', 'init', '--yes']);
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('package.json\n') });
  });

  it('installs no optional packages', () => {
    for (const name of ['@grpc/grpc-js', 'protobufjs', 'db0', 'tsx']) {
      expect(existsSync(join(project.folder, 'node_modules', name)), name).toBe(false);
    }
  });

  it('has types that resolve as its modules do', async () => {
    const attw = join(import.meta.dirname, 'node_modules/.bin/attw');
    const flags = ['--config-path', join(root, '.attw.json'), '--format', 'ascii', '--no-color'];
    const { code, text } = await project.run(attw, [project.tarball, ...flags]);
    expect(code, text).toBe(0);
    for (const name of Object.keys(manifest.exports)) expect(text).toContain(`"${name.replace('.', 'kindforge')}"`);
  });

  it('runs with npx', async () => {
    expect((await project.run('npx', ['kindforge', '--version'])).text).toMatch(/^\d+\.\d+\.\d+\n$/);
    const doctor = await project.run('npx', ['kindforge', 'doctor', '-o', 'json', '--server', 'http://127.0.0.1:9']);
    expect(JSON.parse(doctor.text)).toMatchObject({ problems: 0 });
  });

  it('passes its own checks and tests', async () => {
    const checked = await project.run('npm', ['run', 'check']);
    expect(checked.text).toContain('1 resource without errors');
    expect(checked.text).toMatch(/ 0 of \d+ files differ/);
    expect(checked.code).toBe(0);
    expect(await project.run('npm', ['test'])).toMatchObject({ code: 0, text: expect.stringContaining('3 passed') });
  });

  it.each(['tsconfig.strict.json', 'tsconfig.bundler.json'])(
    'type-checks under strict flags with %s, including the declarations of all entry points',
    async (config) => {
      const { text } = await project.run('npx', ['tsc', '-p', config, '--pretty', 'false']);
      const mistakes = text.split('\n').filter((line) => /^\S/.test(line));
      // See docs/install.md: the declarations of h3 are not strict.
      expect(mistakes.filter((line) => !line.startsWith('node_modules/h3/'))).toEqual([]);
    },
  );

  it('runs with kindforge dev: its controller makes ordered objects, and the generated client reads them', async () => {
    const origin = pageUrl().replaceAll('.', '\\.');
    const where = ['--storage', 'memory', '--http-port', 'auto', '--secure-port', '0'];
    const flags = ['--allow-everyone', '--seed', 'seed', ...where, '--cors-allowed-origins', `^${origin}$`];
    server = await project.start('kindforge', ['dev', ...flags], /listening on\s+(\S+).*seed: 1 applied/s);
    const applied = await project.run('npx', ['kindforge', 'apply', '-f', 'order.yaml', '--server', server.found]);
    expect(applied).toEqual({ code: 0, text: 'widgets.shop.example.com/door created\n' });
    const env = { SERVER: server.found };
    expect(await project.run('node', ['out/more/main.js'], env)).toEqual({ code: 0, text: 'door made 3\n' });
  });

  it('runs the first stage of its Dockerfile, as far as that is possible without a container', async () => {
    const { image, failures } = runStage(project.folder);
    expect(failures).toEqual([]);
    expect(readdirSync(join(image, 'bundle'))).toContain('server.cjs');
    const flags = ['--storage', 'memory', '--http-port', 'auto', '--secure-port', '0', '--allow-everyone'];
    const started = await project.start('node', [join(image, 'bundle/server.cjs'), ...flags], /listening on\s+(\S+)/);
    onTestFinished(() => started.stop());
    expect((await fetch(`${started.found}/apis/shop.example.com/v1/widgets`)).status).toBe(200);
  });

  it('runs tests with the runner of Node', async () => {
    const { code, text } = await project.run('node', ['--test', 'out/more/by-node.js']);
    expect(text).toContain('pass 1');
    expect(code).toBe(0);
  });

  it('can be bundled for browsers with esbuild and with Vite, without anything of Node', async () => {
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

  it('stores objects in a folder with a driver of the installed unstorage', async () => {
    const flags = ['--storage', 'fs:kept', '--allow-everyone', '--http-port', 'auto', '--secure-port', '0'];
    const kept = await project.start('npx', ['kindforge', 'serve', ...flags], /listening on\s+(\S+)/);
    onTestFinished(() => kept.stop());
    const namespaces = `${kept.found}/api/v1/namespaces`;
    const body = JSON.stringify({ metadata: { name: 'kept' } });
    const created = await fetch(namespaces, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(created.status).toBe(201);
    expect(existsSync(join(project.folder, 'kept'))).toBe(true);
  });

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

  it('says what to install for a store in PostgreSQL', async () => {
    const storage = 'postgres://anna:secret@127.0.0.1:9/shop';
    const { code, text } = await project.run('kindforge', ['serve', '--allow-everyone', '--storage', storage]);
    expect(text).toContain('--storage postgres://anna:***@127.0.0.1:9/shop needs a package');
    expect(text).toContain('npm install pg');
    expect(code).toBe(2);
  });

  it('runs in Node 22 and 24, and its client in Deno (skipped if npm does not have them)', async (context) => {
    const runtimes = installRuntimes(join(project.folder, 'runtimes'));
    if (runtimes === undefined) return context.skip('npm has no Node 22, Node 24 or Deno for this machine');
    const env = { SERVER: server.found };
    for (const node of [runtimes.node22, runtimes.node24]) {
      expect(await project.run(node, ['out/more/main.js'], env)).toEqual({ code: 0, text: 'door made 3\n' });
      const tested = await project.run(node, ['--test', 'out/more/by-node.js']);
      expect(tested.text).toContain('pass 1');
      const command = join(project.folder, 'node_modules/kindforge/dist/bin/kindforge.cjs');
      const got = await project.run(node, [command, 'get', 'widgets', '-o', 'name', '--server', server.found]);
      expect(got).toEqual({ code: 0, text: expect.stringContaining('widgets.shop.example.com/door\n') });
    }
    const args = ['run', '--allow-net', '--node-modules-dir=manual', '--no-lock', 'anywhere.mjs', server.found];
    expect((await project.run(runtimes.deno, args)).text).toBe('door,first\n');
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
    // Vite writes addresses relative to its own folder.
    const path = pathname.replace(/^\/assets\//, '/vite/assets/');
    const file = join(folder(), 'pages', path);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
