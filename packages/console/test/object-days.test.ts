/** The page of an object in Chromium: errors and rare cases, and pods with a node behind them. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamicApi, type DynamicObject, dynamicClient, eventRecorder } from '../../../client/index.js';
import { type ServerProcess, startServerProcess } from '../../../test/support/server-process.js';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { type FakeNode, startFakeNode } from './support/fake-node.js';
import { faultsOf, goTo, isReady, type OpenConsole, openConsole } from './support/open-console.js';

let folder: string;
let server: ServerProcess;
let node: FakeNode;
let consoles: OpenConsole;
let boss: DynamicApi;
let page: Page;

async function start(naming: string): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'console-days-'));
  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, 'boss-token,boss,1,"system:masters"\njane-token,jane,2,"dev"\n');
  server = await startServerProcess(
    '--naming',
    naming,
    '--storage',
    'memory',
    '--token-auth-file',
    tokens,
    '--controllers',
    '',
  );
  node = await startFakeNode(server.url);
  boss = dynamicClient({ baseUrl: server.url, token: 'boss-token' });
  consoles = await openConsole(node.url);
  page = await openAs('boss-token');
  const inDefault = { name: 'default', namespace: 'default' };
  await boss.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: inDefault });
  const containers = ['web', 'side'].map((name) => ({ name, image: 'none' }));
  const spec = { nodeName: 'one', containers };
  await boss.create({ apiVersion: 'v1', kind: 'Pod', metadata: { ...inDefault, name: 'pod' }, spec });
}

async function stop(): Promise<void> {
  await consoles?.close();
  await node?.close();
  await server?.kill();
  await rm(folder, { recursive: true });
}

async function openAs(token: string): Promise<Page> {
  const opened = await consoles.visit(`${node.url}/console/`);
  await opened.evaluate((value) => sessionStorage.setItem('kindforge-token', value), token);
  await opened.reload();
  await opened.getByRole('button', { name: /^Signed in as/ }).waitFor();
  return opened;
}

const pod = 'kinds/core/v1/pods/default/pod';
const text = (value: string) => page.getByText(value, { exact: true }).first();
const dataOf = async (object: DynamicObject) => (await boss.get(object)).data;

/** Creates a ConfigMap, and opens its page. */
async function openColours(name: string, query = ''): Promise<DynamicObject> {
  const metadata = { name, namespace: 'default' };
  const object = await boss.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { door: 'red', wall: 'white' },
  });
  await goTo(page, `kinds/core/v1/configmaps/default/${name}${query}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return object;
}

const output = (): Promise<string> => page.getByRole('log').innerText();

async function runsInTerminal(): Promise<void> {
  await goTo(page, `${pod}?tab=exec`);
  await page.getByLabel('Container').selectOption('side');
  await page.getByLabel('Command', { exact: true }).fill(`sh -c 'a b'`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const input = page.getByLabel('Input', { exact: true });
  await input.fill('hello');
  await input.press('Enter');
  await expect.poll(output).toBe('sh|-c|a b in side\n$ hello\nyou said hello\n$ ');
  await input.fill('sleep');
  await input.press('Enter');
  await input.press('Control+c');
  await expect.poll(output).toMatch(/\$ sleep\n\^C\n\$ $/);
  await input.press('ArrowUp');
  await input.press('ArrowUp');
  expect(await input.inputValue()).toBe('hello');
  await input.fill('exit 3');
  await input.press('Enter');
  await page.getByText('Ended with code 3.').waitFor();
  expect(node.sizes).toEqual(['{"Width":120,"Height":40}']);
}

describe.skipIf(!isReady)('commands in pods under the naming platform', () => {
  beforeAll(() => start('platform'), 60_000);
  afterAll(stop);

  it('run with the token of the session, in a terminal', runsInTerminal);
});

describe.skipIf(!isReady)('the page of an object on other days', () => {
  beforeAll(() => start('kubernetes'), 60_000);
  afterAll(stop);

  it('runs commands with the token of the session, in a terminal', runsInTerminal);

  it('runs commands without a terminal: Ctrl+D ends their input', async () => {
    await goTo(page, `${pod}?tab=overview`);
    await goTo(page, `${pod}?tab=exec`);
    await page.getByLabel('Terminal').uncheck();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByLabel('Input', { exact: true }).fill('hello');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(output).toBe('sh in web\nyou said hello');
    await page.getByLabel('Input', { exact: true }).press('Control+d');
    await page.getByText('Ended with code 0.').waitFor();
  });

  it('runs nothing because of an address alone, and shows why a command cannot run', async () => {
    const own = await consoles.visit(`${server.url}/console/`);
    await own.evaluate(() => sessionStorage.setItem('kindforge-token', 'boss-token'));
    await own.goto(`${server.url}/console/${pod}?tab=exec&command=rm`);
    await own.getByRole('button', { name: 'Run', exact: true }).waitFor();
    expect(await own.getByRole('log').count()).toBe(0);
    await own.getByRole('button', { name: 'Run', exact: true }).click();
    await own.getByText(/node "one" cannot be reached/).waitFor();
    await own.close();
  });

  it('follows logs: by container, run, age and search, with the most lines that fit', async () => {
    await goTo(page, `${pod}?tab=logs`);
    await expect.poll(output).toBe('present run of web\nready');
    node.writeLog('one\ntwo\nthr');
    node.writeLog('ee\n');
    await expect.poll(output).toMatch(/ready\none\ntwo\nthree$/);
    await page.getByLabel('Search in the log').fill('T');
    await expect.poll(output).toBe('present run of web\ntwo\nthree');
    await page.getByLabel('Search in the log').fill('');
    node.writeLog(`${'x\n'.repeat(25_000)}${'y'.repeat(2_000_000)}\nlast\n`);
    await page.getByText('20000 lines; earlier ones were dropped').waitFor();
    await expect.poll(output).toMatch(/last$/);
    await page.getByLabel('Container').selectOption('side');
    await page.getByLabel('How old').selectOption('3600');
    await page.getByLabel('How many lines').selectOption('100');
    await page.getByLabel('Previous run').check();
    await expect.poll(output).toBe('previous run of side\nready');
    await page.getByText('The log ended.').waitFor();
    expect(Object.fromEntries(node.logQueries.at(-1) ?? [])).toEqual({
      container: 'side',
      sinceSeconds: '3600',
      tailLines: '100',
      previous: 'true',
    });
  });

  it('has no faults that axe finds in logs and while a command runs, on a wide screen and on a phone', async () => {
    for (const size of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size);
      await goTo(page, `${pod}?tab=logs`);
      await expect.poll(output).toContain('ready');
      expect(await faultsOf(page)).toEqual([]);
      await goTo(page, `${pod}?tab=exec`);
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByLabel('Input', { exact: true }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    }
  });

  it('restores an earlier revision as a draft, and undoes that', async () => {
    const object = await openColours('restored');
    await boss.patch(object, { data: { door: 'green' } });
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: /^Restore .* as a draft$/ }).click();
    await text('Not saved').waitFor();
    expect(await page.getByLabel('door', { exact: true }).inputValue()).toBe('red');
    expect(page.url()).not.toContain('revision');
    await boss.patch(object, { data: { roof: 'black' } });
    await page.getByRole('button', { name: 'Take them in' }).click();
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => dataOf(object)).toEqual({ door: 'red', roof: 'black', wall: 'white' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => dataOf(object)).toEqual({ door: 'green', roof: 'black', wall: 'white' });
  });

  it('keeps a draft with its base: after a reload it merges, saves, and undoes', async () => {
    const object = await openColours('drafted', '?tab=edit');
    await page.getByLabel('door', { exact: true }).fill('green');
    await text('Not saved').waitFor();
    await boss.patch(object, { data: { roof: 'black' } });
    await page.reload();
    await page.getByRole('button', { name: 'Restore them' }).click();
    await page.getByText('changed this object meanwhile').waitFor();
    await page.getByRole('button', { name: 'Take them in' }).click();
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => dataOf(object)).toEqual({ door: 'green', roof: 'black', wall: 'white' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => dataOf(object)).toEqual({ door: 'red', roof: 'black', wall: 'white' });
  });

  it('shows the managers of a field, even of the status, and the history', async () => {
    const known = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod', namespace: 'default' } };
    const labels = (values: Record<string, string>) => ({ ...known, metadata: { ...known.metadata, labels: values } });
    await boss.apply(labels({ tier: 'front' }), { fieldManager: 'labeller' });
    await boss.apply(labels({ tier: 'front', team: 'blue' }), { fieldManager: 'other' });
    const pods = (await boss.resource('pods')).in('default');
    const condition = { type: 'Ready', status: 'False', reason: 'Waiting', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const status = { phase: 'Running', conditions: [condition] };
    await pods.subresource('status').patch('pod', { status }, { fieldManager: 'kubelet' });
    await goTo(page, `${pod}?tab=fields`);
    const line = (title: string) => page.getByTitle(title, { exact: true });
    await line('metadata.labels.tier: labeller, other').waitFor();
    await line('metadata.labels.team: other').waitFor();
    await page.getByRole('region', { name: 'Fields with their managers' }).evaluate((box) => box.scrollTo(0, 1e6));
    await line('status.phase: kubelet/status').waitFor();
    const record = eventRecorder({ baseUrl: server.url, token: 'boss-token' }, { component: 'tests' });
    const object = await boss.get(known);
    await goTo(page, pod);
    await record(object, { reason: 'Pulled', message: 'the image is there' });
    await record(object, { reason: 'Pulled', message: 'the image is there' });
    await record(object, { reason: 'BackOff', message: 'it fails', type: 'Warning' });
    const entries = page.getByRole('list').filter({ hasText: 'Created' }).getByRole('listitem');
    await expect.poll(() => entries.locator('strong').allInnerTexts()).toHaveLength(4);
    expect(await entries.locator('strong').allInnerTexts()).toEqual(
      expect.arrayContaining(['Pulled', 'BackOff', 'Created', 'Ready is False (Waiting)']),
    );
    expect(await entries.last().innerText()).toContain('Ready is False');
    await entries.filter({ hasText: 'Pulled' }).getByText('×2').waitFor();
  });

  it('edits the status, and evicts', async () => {
    await goTo(page, `${pod}?do=status`);
    const content = page.getByRole('dialog').locator('.cm-content');
    await content.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('phase: Failed');
    await page.getByRole('dialog').getByRole('button', { name: 'Save status' }).click();
    const read = async () => (await boss.resource('pods')).in('default').get('pod');
    await expect.poll(async () => (await read()).status).toMatchObject({ phase: 'Failed' });
    // The dialog closes once the answer arrives, and would close the next dialog, too.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await goTo(page, `${pod}?do=evict`);
    await page.getByRole('dialog').getByRole('button', { name: 'Evict', exact: true }).click();
    await text('Evicted pod').waitFor();
    // A failed pod does not wait for a node.
    await expect.poll(() => read().catch(({ code }) => code)).toBe(404);
  });

  it('downloads an object, and begins a new one with its copy', async () => {
    await openColours('copied');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Download YAML' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('configmap-copied.yaml');
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^data:\n {2}door: red\n {2}wall: white$/m);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
    await expect.poll(() => page.locator('.cm-content').innerText()).toContain('copied-copy');
    await page
      .getByRole('button', { name: /^Create/ })
      .last()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    const copy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'copied-copy', namespace: 'default' } };
    await expect.poll(() => dataOf(copy).catch(() => undefined)).toEqual({ door: 'red', wall: 'white' });
  });

  it('names the missing right: to read, to search for dependents, and to save', async () => {
    await openColours('guarded');
    const jane = await openAs('jane-token');
    await goTo(jane, 'kinds/core/v1/configmaps/default/guarded?tab=edit');
    await jane.getByText('You need the right get for configmaps').waitFor();
    const apiVersion = `${(await boss.kind('roles')).group}/v1`;
    const metadata = { name: 'editors', namespace: 'default' };
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'update'] }];
    await boss.create({ apiVersion, kind: 'Role', metadata, rules });
    const binding = await boss.create({
      ...{ apiVersion, kind: 'RoleBinding', metadata },
      roleRef: { apiGroup: apiVersion.split('/')[0], kind: 'Role', name: 'editors' },
      subjects: [{ apiGroup: apiVersion.split('/')[0], kind: 'User', name: 'jane' }],
    });
    await jane.reload();
    await jane.getByLabel('door', { exact: true }).fill('green');
    await boss.delete(binding);
    await jane.getByRole('button', { name: 'Save…' }).click();
    await jane.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await jane
      .getByRole('dialog')
      .getByText(/User "jane" cannot update resource "configmaps"/)
      .first()
      .waitFor();
    await jane.keyboard.press('Escape');
    expect(await jane.getByLabel('door', { exact: true }).inputValue()).toBe('green');
    await jane.getByRole('link', { name: 'Owners' }).click();
    await jane.getByText(/^\d+ kinds could not be read$/).click();
    await jane.getByText('secrets: you lack the right list').waitFor();
    await jane.close();
  });

  it('keeps typed text while the server is away, and continues when it is back', async () => {
    const object = await openColours('steady', '?tab=edit');
    await page.getByLabel('door', { exact: true }).fill('green');
    await text('Not saved').waitFor();
    node.goAway(true);
    await page.getByText('The server has not answered').waitFor();
    await page.getByLabel('wall', { exact: true }).fill('blue');
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByText('The server does not answer').first().waitFor();
    node.goAway(false);
    await page.getByText('The server has not answered').waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => dataOf(object)).toEqual({ door: 'green', wall: 'blue' });
  });

  it('keeps typed text when the address changes, and when the object is deleted', async () => {
    const object = await openColours('vanishing', '?tab=edit');
    const door = page.getByLabel('door', { exact: true });
    await door.fill('green');
    await goTo(page, 'kinds/core/v1/configmaps/default/vanishing?tab=edit&do=delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await door.inputValue()).toBe('green');
    await boss.delete(object);
    await text('This object was deleted.').waitFor();
    await expect.poll(() => page.locator('.cm-content').innerText()).toContain('door: green');
  });

  it('shows an object of 1 MB with 5,000 labels with as few elements as a small one', async () => {
    const metadata = {
      ...{ name: 'large', namespace: 'default' },
      labels: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`label-${i}`, `value-${i}`])),
    };
    const data = Object.fromEntries(Array.from({ length: 800 }, (_, i) => [`key-${i}`, 'x'.repeat(1_000)]));
    await boss.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    for (const [tab, sign] of [
      ['overview', 'Labels (5000)'],
      ['fields', 'Managers'],
      ['owners', 'Owners and dependents'],
      ['history', 'Revisions'],
      ['edit', 'Save…'],
    ] as const) {
      await goTo(page, `kinds/core/v1/configmaps/default/large?tab=${tab}`);
      await text(sign).waitFor();
      expect(await page.locator('*').count()).toBeLessThan(1_500);
    }
  });

  it('does not violate the content security policy, and throws nothing', () => {
    // Browsers report a refused WebSocket by themselves.
    expect(consoles.errors.filter((error) => !/^WebSocket connection to|ERR_|Failed to fetch/.test(error))).toEqual([]);
  });
});
