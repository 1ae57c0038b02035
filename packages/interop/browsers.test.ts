/** examples/web in Chromium: live lists in React, Vue and Svelte, from the same server and from another origin. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiObjectLike, createResourceClient, type ResourceDescriptor } from '../../client/index.js';
import { browser, copyOfExample, countChanges, examplePackages as packages } from '../../test/support/browser.js';
import { builtCommand } from '../../test/support/built-command.js';
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.js';
import { root } from '../../test/support/shared.js';

const isReady = browser !== undefined && existsSync(packages);
const whyNot = isReady ? '' : ' (skipped: it needs Chromium, and `npm run install:all`)';

interface Widget extends ApiObjectLike {
  readonly spec: { readonly size: string; readonly count?: number };
}

const widgetResource: ResourceDescriptor<Widget, Widget> = {
  group: 'shop.example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  scope: 'Namespaced',
  subresources: [],
};

const libraries = ['react', 'vue', 'svelte'] as const;
const hooks = { react: 'react/use-objects.ts', vue: 'vue/use-objects.ts', svelte: 'svelte/use-objects.svelte.ts' };

describe.skipIf(!isReady)(`the pages of examples/web${whyNot}`, () => {
  let folder: string;
  let server: ServerProcess;
  let opened: Browser;
  const pages = new Map<string, Page>();
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    folder = copyOfExample();
    const vite = join(packages, 'vite/bin/vite.js');
    execFileSync(process.execPath, [builtCommand(), 'generate', '--project', folder], { stdio: 'pipe' });
    execFileSync(process.execPath, [vite, 'build'], { cwd: folder, stdio: 'pipe' });
    server = await serve();
    opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
    for (const library of libraries) pages.set(library, await open(`${server.url}/${library}.html`));
  });
  afterAll(async () => {
    await opened?.close();
    await server?.kill();
    for (const child of running) child.kill();
    if (folder) rmSync(folder, { recursive: true });
  });

  const serve = (...flags: readonly string[]): Promise<ServerProcess> =>
    startServerProcess('--project', folder, '--storage', `lmdb:${join(folder, 'data')}`, ...flags);

  /** Opens a page that counts how often React commits, and how often its elements change. */
  async function open(url: string): Promise<Page> {
    const page = await opened.newPage();
    await page.addInitScript(countChanges);
    await page.goto(url);
    return page;
  }

  const pageOf = (library: string): Page => {
    const page = pages.get(library);
    if (!page) throw new Error(`${library} has no page`);
    return page;
  };

  /** Runs Vite's server for development, and resolves to its address. */
  async function develop(env: Readonly<Record<string, string>>): Promise<string> {
    const args = [join(packages, 'vite/bin/vite.js'), 'dev', '--host', '127.0.0.1', '--port', '0'];
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env, NO_COLOR: '1' } });
    running.push(child);
    for await (const printed of child.stdout) {
      const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(String(printed)) ?? [];
      if (url !== undefined) return url;
    }
    throw new Error('vite dev ended');
  }

  const widgets = (namespace = 'default') =>
    createResourceClient(widgetResource, { baseUrl: server.url }).in(namespace);
  const create = (name: string, labels = {}): Promise<unknown> =>
    widgets().create({ metadata: { name, labels }, spec: { size: 'large' } });

  /** Waits until a page lists exactly these widgets. */
  const lists = async (page: Page, ...names: readonly string[]): Promise<void> => {
    const shown = async (): Promise<string[]> => (await page.locator('li').allTextContents()).map(spaced);
    await expect.poll(shown, { timeout: 20_000, interval: 20 }).toEqual(names.map((name) => `${name} Delete`));
  };
  const eachLists = (...names: readonly string[]): Promise<unknown> =>
    Promise.all([...pages.values()].map((page) => lists(page, ...names)));
  const says = (page: Page, words: string): Promise<void> =>
    expect
      .poll(async () => (await page.getByRole('alert').allTextContents()).join(), { timeout: 20_000 })
      .toContain(words);

  const watches = async (): Promise<number> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    // The server itself watches all namespaces.
    const found =
      metrics.match(/^apiserver_longrunning_requests\{.*resource="widgets",scope="namespace".*\} \d+/gm) ?? [];
    return found.map((line) => Number(line.split(' ').at(-1))).reduce((sum, count) => sum + count, 0);
  };

  it.each(libraries)('have hooks of at most 40 lines: %s', (library) => {
    const lines = readFileSync(join(root, 'examples/web/src', hooks[library]), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  it('load at most 16 kB of the SDK, compressed', () => {
    const assets = join(folder, 'dist/assets');
    const file = readdirSync(assets).find((name) => name.startsWith('api-')) ?? '';
    expect(gzipSync(readFileSync(join(assets, file))).length).toBeLessThan(16_000);
  });

  it('show all objects, and changes by other clients', async () => {
    await eachLists();
    await create('door', { shop: 'north' });
    await create('bell');
    await eachLists('bell: 1 large', 'door: 1 large');
    await widgets().patch('door', { spec: { count: 3 } });
    await eachLists('bell: 1 large', 'door: 3 large');
    await widgets().delete('bell');
    await eachLists('door: 3 large');
    expect(await watches()).toBe(3);
  });

  it.each(libraries)('create and delete: %s', async (library) => {
    const page = pageOf(library);
    await page.getByPlaceholder('Name').fill(`by-${library}`);
    await page.getByRole('button', { name: 'Create' }).click();
    await eachLists(`by-${library}: 1 small`, 'door: 3 large');
    await page.getByRole('button', { name: 'Create' }).click();
    await says(page, 'already exists');
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await eachLists('door: 3 large');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  it('render nothing while their content does not change', async () => {
    await create('lamp', { shop: 'south' });
    await eachLists('door: 3 large', 'lamp: 1 large');
    for (const page of pages.values()) await page.getByPlaceholder('Labels').fill('shop=north');
    await eachLists('door: 3 large');
    const before = await changesOf(pages);
    await widgets().patch('lamp', { spec: { count: 2 } });
    await widgets('kube-system').create({
      metadata: { name: 'other', labels: { shop: 'north' } },
      spec: { size: 'small' },
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await changesOf(pages)).toEqual(before);
    await widgets().patch('door', { spec: { count: 4 } });
    await eachLists('door: 4 large');
    expect(await changesOf(pages)).not.toEqual(before);
    for (const page of pages.values()) await page.getByPlaceholder('Labels').fill('');
    await eachLists('door: 4 large', 'lamp: 2 large');
  });

  it('end their watch when the list is unmounted, and begin another when it is mounted again', async () => {
    await expect.poll(watches).toBe(3);
    for (const page of pages.values()) await page.getByLabel('Show the widgets').uncheck();
    await expect.poll(watches).toBe(0);
    for (const page of pages.values()) await page.getByLabel('Show the widgets').check();
    await eachLists('door: 4 large', 'lamp: 2 large');
    await expect.poll(watches).toBe(3);
  });

  it('name the flag for pages of another origin, and continue after the server has started with it', async () => {
    const url = await develop({ VITE_API_URL: server.url });
    const foreign = await open(`${url}/vue.html`);
    const flag = `--cors-allowed-origins '^${url.replaceAll('.', '\\.')}$'`;
    await says(
      foreign,
      `the server is not there, or does not let pages of ${url} read its answers (CORS); start it with ${flag}`,
    );

    const { port } = new URL(server.url);
    await server.kill();
    for (const page of pages.values()) {
      await says(page, 'no answer from the server');
      await lists(page, 'door: 4 large', 'lamp: 2 large');
    }
    const [, pattern = ''] = /'(.*)'/.exec((await foreign.getByRole('alert').textContent()) ?? '') ?? [];
    server = await serve('--http-port', port, '--cors-allowed-origins', pattern);
    await create('roof');
    await eachLists('door: 4 large', 'lamp: 2 large', 'roof: 1 large');
    await lists(foreign, 'door: 4 large', 'lamp: 2 large', 'roof: 1 large');
    for (const page of [...pages.values(), foreign]) await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await foreign.getByRole('button', { name: 'Delete' }).last().click();
    await eachLists('door: 4 large', 'lamp: 2 large');
  });

  it('work behind the proxy of vite dev, and sign in with a token', async () => {
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, 'guess-not,nina,u-1\nopen-sesame,ali,u-2,system:masters\n');
    const flags = ['--storage', 'memory', '--token-auth-file', tokens, '--anonymous-auth', 'false'];
    const guarded = await startServerProcess('--project', folder, ...flags);
    try {
      const url = await develop({ API_URL: guarded.url });
      const signIns = libraries.map(async (library) => {
        const page = await open(`${url}/${library}.html`);
        await says(page, 'Unauthorized');
        await page.getByPlaceholder('Token').fill('guess-not');
        await says(page, 'widgets.shop.example.com is forbidden: User "nina" cannot watch resource "widgets"');
        return page;
      });
      await Promise.all(signIns);
      const page = await open(`${url}/react.html`);
      await page.getByPlaceholder('Token').fill('open-sesame');
      await lists(page);
      await page.getByPlaceholder('Name').fill('gate');
      await page.getByRole('button', { name: 'Create' }).click();
      await lists(page, 'gate: 1 small');
      expect(await page.evaluate(() => document.cookie + Object.keys(localStorage) + Object.keys(sessionStorage))).toBe(
        '',
      );
    } finally {
      await guarded.kill();
    }
  });

  it('pass the type checkers of their libraries', async () => {
    const checkers = [['svelte-check/bin/svelte-check'], ['vue-tsc/bin/vue-tsc.js', '--noEmit']];
    const ends = checkers.map(async ([name = '', ...flags]) => {
      const child = spawn(process.execPath, [join(packages, name), ...flags], { cwd: folder, stdio: 'pipe' });
      const printed = Promise.all([text(child.stdout), text(child.stderr)]);
      const [code] = await once(child, 'close');
      return { code, printed: (await printed).join('') };
    });
    for (const { code, printed } of await Promise.all(ends)) expect(code, printed).toBe(0);
  });
});

const changesOf = (pages: ReadonlyMap<string, Page>): Promise<unknown[]> =>
  Promise.all([...pages.values()].map((page) => page.evaluate(() => Reflect.get(globalThis, 'changes'))));

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
