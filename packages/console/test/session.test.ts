/** Signs in to the console in Chromium with the code that a server prints, and ends a session while a page is open. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentConsole } from '../../../bin/current-build.mjs';
import { systemClock } from '../../../client/clock.js';
import { dynamicClient } from '../../../client/index.js';
import { startServer } from '../../../server/index.js';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { goTo, isReady, type OpenConsole, openConsole } from './support/open-console.js';

describe.skipIf(!isReady)('a session of the console', () => {
  let now = Date.now();
  let server: Awaited<ReturnType<typeof start>>;
  let consoles: OpenConsole;
  let page: Page;

  const start = () =>
    startServer({
      storage: 'memory',
      naming: 'kubernetes',
      console: true,
      controllers: [],
      clock: { ...systemClock, wallMs: () => now },
    });

  beforeAll(async () => {
    currentConsole();
    server = await start();
    consoles = await openConsole(server.url);
  });
  afterAll(async () => {
    await consoles?.close();
    await server?.stop();
  });

  /** Begins another session in the same way as the page. */
  async function newToken(): Promise<string> {
    const code = server.consoleLink?.().split('#code=')[1];
    const answer = await fetch(`${server.url}/console/api/sign-in`, { method: 'POST', body: JSON.stringify({ code }) });
    return JSON.parse(await answer.text()).token;
  }

  it('begins with the link, and removes the code from the address', async () => {
    page = await consoles.visit(server.consoleLink?.() ?? '');
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });

  it('keeps the page when it ends, and continues with another token', async () => {
    now += 13 * 3_600_000;
    await page.evaluate(() => Reflect.set(globalThis, 'isSamePage', true));
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await dialog.getByLabel('Token').fill('wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('You are signed out').waitFor();
    await dialog.getByLabel('Token').fill(await newToken());
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Access' }).first().click();
    await page.getByRole('heading', { name: 'Access' }).waitFor();
    expect(await dialog.isVisible()).toBe(false);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);
    expect(consoles.errors).toEqual([]);
  });

  it('keeps a half-typed form when it ends, and then creates the object', async () => {
    await goTo(page, 'create?kind=core/v1/configmaps&ns=default');
    await page.getByLabel('name', { exact: true }).fill('half');
    now += 13 * 3_600_000;
    await page.getByRole('button', { name: 'Create ConfigMap' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Token').fill(await newToken());
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('name', { exact: true }).inputValue()).toBe('half');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'half' }).waitFor();
  });

  it('works in many tabs at the same time over HTTP/1.1', async () => {
    const tabs: Page[] = [];
    for (let tab = 0; tab < 8; tab++) {
      const opened = await consoles.visit(server.consoleLink?.() ?? '');
      await opened.getByRole('button', { name: /^Signed in as/ }).waitFor();
      await goTo(opened, 'kinds/core/v1/namespaces');
      await opened.getByRole('link', { name: 'kube-system' }).waitFor();
      tabs.push(opened);
    }
    await dynamicClient(server.client()).create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shown-in-all' },
    });
    for (const opened of tabs) await opened.getByRole('link', { name: 'shown-in-all' }).waitFor();
  });
});
