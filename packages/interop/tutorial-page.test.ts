/**
 * The page of the tutorial in Chromium, with its controller: it lists databases, changes them, and follows changes of
 * others.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../test/support/ask.js';
import { browser } from '../../test/support/browser.js';
import { builtCommand } from '../../test/support/built-command.js';
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.js';
import { root } from '../../test/support/shared.js';

describe.skipIf(!browser)('the page of the tutorial (skipped without Chromium)', () => {
  let folder: string;
  let server: ServerProcess;
  let opened: Browser;
  let page: Page;

  beforeAll(async () => {
    mkdirSync(join(root, '.kindforge'), { recursive: true });
    folder = mkdtempSync(join(root, '.kindforge/tutorial-'));
    cpSync(join(root, 'examples/tutorial'), folder, { recursive: true });
    const generate = ['generate', '--project', 'none', '--schemas', 'schemas', '--out', 'generated'];
    execFileSync(process.execPath, [builtCommand(), ...generate], { cwd: folder, stdio: 'pipe' });
    await build({
      root: join(folder, 'src/page'),
      configFile: false,
      logLevel: 'error',
      build: { outDir: join(folder, 'dist') },
      resolve: { alias: { 'kindforge/client': join(root, 'client/index.ts') } },
    });
    server = await startServerProcess('--project', folder, '--storage', 'memory');
    opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
    page = await opened.newPage();
    await page.goto(server.url);
  });
  afterAll(async () => {
    await opened?.close();
    await server?.kill();
    if (folder) rmSync(folder, { recursive: true });
  });

  const rows = (): Promise<string[]> => page.locator('li').allTextContents();
  const row = (name: string, engine: string, size: number): string =>
    `${name}: ${engine}, ${size} GB, ${name}.default.db.example.com GrowDelete`;

  it('orders a database, grows it, and shows the status from the controller', async () => {
    await page.fill('[name=name]', 'orders');
    await page.click('text=Order');
    await expect.poll(rows).toEqual([row('orders', 'postgres', 10)]);
    await page.click('text=Grow');
    await expect.poll(rows).toEqual([row('orders', 'postgres', 20)]);
  });

  it('shows databases of others, and the refusal of a used name', async () => {
    await send(server, 'POST', '/apis/data.example.com/v1/namespaces/default/databases', {
      body: { metadata: { name: 'users' }, spec: { engine: 'mysql' } },
    });
    await expect.poll(rows).toEqual([row('orders', 'postgres', 20), row('users', 'mysql', 10)]);
    await page.click('button:text("Order")');
    await expect.poll(() => page.textContent('#problem')).toContain('already exists');
  });

  it('deletes a database', async () => {
    await page.locator('li', { hasText: 'orders' }).getByText('Delete').click();
    await expect.poll(rows).toEqual([row('users', 'mysql', 10)]);
  });
});
