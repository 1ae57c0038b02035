/** The home page in Chromium: charts, counts, health and events; and a server that is not ready, or does not answer. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamicApi } from '../../../client/index.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../../../test/support/server-process.js';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { faultsOf, isReady, type OpenConsole, openConsole } from './support/open-console.js';
import { type ServedConsole, serveConsole } from './support/serve-console.js';

const chart = (page: Page, title: string) => page.getByRole('img', { name: new RegExp(`^${title}: `) });

describe.skipIf(!isReady).each(['platform', 'kubernetes'])('the home page under the naming %s', (naming) => {
  /** The naming does not matter for tests that run only then. */
  const isFirst = naming === 'kubernetes';
  let served: ServedConsole;
  let client: DynamicApi;
  let consoles: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    served = await serveConsole('', ['--naming', naming]);
    ({ client, consoles, page } = served);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });
  afterAll(() => served?.close());

  it('begins with first steps if the user has no kinds', async () => {
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'Create an object' }).waitFor();
  });

  it('counts requests as they arrive, in charts and in words', async () => {
    const requests = chart(page, 'Requests');
    await requests.waitFor();
    const before = await requests.getAttribute('aria-label');
    const began = Date.now();
    while ((await requests.getAttribute('aria-label')) === before && Date.now() - began < 20_000) {
      await client.get({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    }
    expect(await requests.getAttribute('aria-label')).toMatch(/^Requests: 2xx [\d.]+\/s, .*5xx 0\/s$/);
    await page.locator('.chart canvas').first().waitFor();
  });

  it.runIf(isFirst)('shows values at the crosshair, of one verb, and as a table', async () => {
    await chart(page, 'Latency').hover();
    await page
      .locator('section', { hasText: 'Latency' })
      .getByText(/^\d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    await page.getByLabel('Verb', { exact: true }).selectOption('GET');
    await page.getByRole('button', { name: 'Latency as a table' }).click();
    const table = page.getByRole('region', { name: 'Latency', exact: true });
    await table.getByRole('columnheader', { name: 'p99' }).waitFor();
    expect(await table.getByRole('cell').first().textContent()).toMatch(/^[\d.]+ (µs|ms|s)$/);
    await page.getByRole('region', { name: 'Latency by verb' }).getByRole('rowheader', { name: 'GET' }).waitFor();
    await page.getByRole('region', { name: 'Watches by kind' }).getByRole('link', { name: 'Event' }).first().waitFor();
  });

  it.runIf(isFirst)(
    'draws its charts again when the system turns dark, because a canvas keeps its colours',
    async () => {
      const canvas = chart(page, 'Memory').locator('canvas');
      await canvas.evaluate((element) => element.setAttribute('data-is-light', ''));
      await page.emulateMedia({ colorScheme: 'dark' });
      await chart(page, 'Memory').locator('canvas:not([data-is-light])').waitFor();
      await page.emulateMedia({ colorScheme: 'light' });
    },
  );

  it('shows the checks of the server, and events as they arrive', async () => {
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByText('ping', { exact: true }).waitFor();
    await client.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'spilt', namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'Namespace', name: 'default' },
      reason: 'Spilt',
      message: 'The paint was spilt: <img src=x onerror=alert(1)>',
      type: 'Warning',
      lastTimestamp: new Date().toISOString(),
    });
    await page.getByText('The paint was spilt: <img src=x onerror=alert(1)>').waitFor();
  });

  it('has no faults that axe finds, and no errors', async () => {
    expect(consoles.errors).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
  });

  it.runIf(isFirst)('names a check that fails, with its reason', async () => {
    const verbose = '[+]ping ok\n[-]storage failed: reason withheld\nreadyz check failed\n';
    await page.route('**/readyz?verbose', (route) => route.fulfill({ status: 500, body: verbose }));
    const alone = 'internal server error: the disk is full\n';
    await page.route('**/readyz/storage', (route) => route.fulfill({ status: 500, body: alone }));
    await page.getByText('Not ready: storage').waitFor();
    await page.getByText('the disk is full').waitFor();
  });
});

describe.skipIf(!isReady)('the home page', () => {
  const folder = scratchFolder();
  let server: ServerProcess;
  let consoles: OpenConsole;

  const start = (port: string) =>
    startServerProcess(
      ...['--naming', 'kubernetes', '--storage', `lmdb:${join(folder, 'data')}`, '--http-port', port],
      ...['--token-auth-file', join(folder, 'tokens.csv')],
    );

  async function signedIn(token: string): Promise<Page> {
    const page = await consoles.visit(`${server.url}/console/`);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  }

  beforeAll(async () => {
    await writeFile(join(folder, 'tokens.csv'), 'boss,boss,1,"system:masters"\njane,jane,2\n');
    server = await start('auto');
    consoles = await openConsole(server.url);
  });
  afterAll(async () => {
    await consoles?.close();
    await server?.kill();
  });

  it('names the rights that a user needs, and shows the rest', async () => {
    const page = await signedIn('jane');
    await page.getByText(/get on nonResourceURLs \/metrics.*system:monitoring/).waitFor();
    await page.getByText(/list, watch on resources events/).waitFor();
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.close();
  });

  it('keeps its values while the server is away, and continues without a spike after the restart', async () => {
    const page = await signedIn('boss');
    await chart(page, 'Requests').waitFor();
    await page.getByText('Ready', { exact: true }).waitFor();
    await server.kill();
    await page.getByText('No answer', { exact: true }).waitFor();
    expect(await page.getByText('Ready', { exact: true }).count()).toBe(0);
    await page.getByText('ping', { exact: true }).waitFor();
    await chart(page, 'Requests').waitFor();
    const { port } = new URL(server.url);
    server = await start(port);
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Requests as a table' }).click();
    const rows = page.getByRole('region', { name: 'Requests', exact: true }).getByRole('row');
    // The first reading after the restart has no rates; the next one has.
    await rows.filter({ hasText: '–' }).first().waitFor();
    await page.waitForFunction(() => !/–/.test(document.querySelector('main tbody tr td')?.textContent ?? '–'));
    await page.close();
  });
});
