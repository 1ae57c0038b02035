/** The page of a kind's objects in Chromium, against a real server: live, with its filters, selection and keys. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamicApi, type DynamicObject, dynamicClient } from '../../../client/index.js';
import { eventually } from '../../../test/support/eventually.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../../../test/support/server-process.js';
import type { Locator, Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { faultsOf, goTo, isReady, type OpenConsole, openConsole } from './support/open-console.js';

const markup = '<img src=x onerror="window.hacked=1">';
const notes = [
  markup,
  '\u202eright to left\u202c שלום مرحبا',
  `z\u0301\u0302\u0303${'\u0351'.repeat(40)}`,
  "'};alert(1)//",
  'javascript:alert(1)',
  '日本語 हिन्दी ไทย 🧑🏽‍🚀',
];
const column = (name: string, type: string, priority = 0): object => ({
  name,
  type,
  priority,
  jsonPath: `.spec.${name.toLowerCase()}`,
  description: markup,
});

const definition: DynamicObject = {
  apiVersion: 'CustomResourceDefinition',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        additionalPrinterColumns: [
          column('Phase', 'string'),
          column('Size', 'string'),
          column('Count', 'integer'),
          column('Note', 'string'),
          column('Wide', 'string', 1),
        ],
      },
    ],
  },
};

const gadget = (index: number): DynamicObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Gadget',
  metadata: {
    name: `gadget-${index}`,
    namespace: index % 10 === 0 ? 'other' : 'default',
    labels: { app: index % 2 === 0 ? 'even' : 'odd' },
  },
  spec: {
    phase: index % 3 === 0 ? 'Failed' : 'Running',
    size: index === 5 ? '1Gi' : `${index}Mi`,
    count: (index * 7919) % 10_007,
    note: notes[index % notes.length],
    wide: 'only on choice',
  },
});

const statusOf = (code: number, reason: string): object => ({
  ...{ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: markup },
});

const namings = [
  { naming: 'kubernetes', objects: 2_000 },
  { naming: 'platform', objects: 200 },
];

describe.skipIf(!isReady).each(namings)('lists under the naming $naming', ({ naming, objects }) => {
  /** The naming does not matter for tests that run only then. */
  const isFirst = naming === 'kubernetes';
  const folder = scratchFolder();
  const flags = ['--naming', naming, '--storage', `lmdb:${folder}`];
  let server: ServerProcess;
  let consoles: OpenConsole;
  let client: DynamicApi;
  let page: Page;
  const address = 'kinds/shop.example.com/v1/gadgets';

  beforeAll(async () => {
    server = await startServerProcess(...flags);
    client = dynamicClient({ baseUrl: server.url });
    const { kinds } = await client.kinds();
    const { group, version } = kinds.find(({ kind }) => kind === 'CustomResourceDefinition') ?? {};
    await client.create({ ...definition, apiVersion: `${group}/${version}` });
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    await eventually(() => client.create(gadget(0)));
    let next = 1;
    const work = async (): Promise<void> => {
      for (let index = next++; index < objects; index = next++) await client.create(gadget(index));
    };
    await Promise.all(Array.from({ length: 16 }, work));
    consoles = await openConsole(server.url);
    page = await consoles.open(address);
    await rowOf('gadget-1').waitFor();
  });
  afterAll(async () => {
    await consoles?.close();
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const rows = (): Locator => page.locator('[role=grid] [role=rowgroup] [role=row]');
  const rowOf = (name: string): Locator => rows().filter({ has: page.getByRole('link', { name, exact: true }) });
  const count = (number: number): Promise<void> =>
    page.locator('.count', { hasText: new RegExp(`^${number.toLocaleString('en')}$`) }).waitFor();
  const filter = (label: string): Locator => page.getByLabel(label, { exact: true });
  const namesShown = (): Promise<string[]> => rows().getByRole('link').allTextContents();
  const gadgets = async () => (await client.resource('gadgets')).in('default');
  const select = (name: string): Promise<void> => rowOf(name).getByRole('checkbox').check();

  it('shows the number of objects, and has elements for visible rows only', async () => {
    await count(objects);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(objects + 1));
    expect(await rows().count()).toBeLessThan(80);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(
      expect.arrayContaining(['Name', 'Namespace', 'Phase', 'Size', 'Count', 'Note']),
    );
    expect(await page.getByRole('columnheader', { name: 'Wide' }).count()).toBe(0);
  });

  it('marks a changed row, in its place', async () => {
    const before = await namesShown();
    await (await gadgets()).patch('gadget-2', { spec: { note: 'changed just now' } });
    await rowOf('gadget-2').and(page.locator('.flash')).waitFor();
    expect(await rowOf('gadget-2').textContent()).toContain('changed just now');
    expect(await namesShown()).toEqual(before);
    const added = { ...gadget(1), metadata: { name: 'gadget-1-b', namespace: 'default' } };
    await rowOf('gadget-4').hover();
    await client.create(added);
    await page.getByText('A row comes, goes or moves').waitFor();
    expect(await namesShown()).toEqual(before);
    await page.mouse.move(0, 0);
    await rowOf('gadget-1-b').waitFor();
    await (await gadgets()).delete('gadget-1-b');
    await rowOf('gadget-1-b').waitFor({ state: 'detached' });
  });

  it.runIf(isFirst)('filters by text, and offers to clear a filter without results', async () => {
    await filter('Filter by text').fill('gadget-199');
    await eventually(async () => expect((await namesShown()).every((name) => name.includes('199'))).toBe(true));
    expect(new URL(page.url()).searchParams.get('q')).toBe('gadget-199');
    await filter('Filter by text').fill('none of them');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await count(objects);
    expect(await filter('Filter by text').inputValue()).toBe('');
  });

  it.runIf(isFirst)('sorts numbers and quantities by value, in both directions', async () => {
    const sizes = async (): Promise<(string | undefined)[]> => {
      const at = (await page.getByRole('columnheader').allTextContents()).indexOf('Size');
      return Promise.all(
        [0, 1].map(async (row) => (await rows().nth(row).getByRole('gridcell').nth(at).textContent())?.trim()),
      );
    };
    const header = page.getByRole('button', { name: 'Size', exact: true });
    await header.click();
    await eventually(async () => expect(await sizes()).toEqual(['0Mi', '1Mi']));
    await header.click();
    const greatest = objects > 1_024 ? `${objects - 1}Mi` : '1Gi';
    await eventually(async () => expect((await sizes())[0]).toBe(greatest));
    await header.click();
    await eventually(async () => expect((await namesShown())[0]).toBe('gadget-1'));
  });

  it.runIf(isFirst)('sends selectors and the namespace to the server, and keeps them in the address', async () => {
    for (const [label, value] of [
      ['Label selector', 'app=odd'],
      ['Namespace', 'default'],
    ] as const) {
      await filter(label).fill(value);
      await filter(label).press('Enter');
    }
    await count(objects / 2);
    await filter('Field selector').fill('metadata.name=gadget-3');
    await filter('Field selector').press('Enter');
    await count(1);
    await page.reload();
    await page.getByRole('button', { name: 'Go on without signing in' }).click();
    await rowOf('gadget-3').waitFor();
    expect(await filter('Label selector').inputValue()).toBe('app=odd');
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('2');
    for (const label of ['Label selector', 'Namespace', 'Field selector']) {
      await filter(label).fill('');
      await filter(label).press('Enter');
    }
    await count(objects);
  });

  it.runIf(isFirst)('reports the selector that the server does not understand', async () => {
    await filter('Label selector').fill('a in (');
    await filter('Label selector').press('Enter');
    await page.getByRole('alert').first().waitFor();
    await filter('Label selector').fill('');
    await filter('Label selector').press('Enter');
    await count(objects);
  });

  it.runIf(isFirst)('labels and deletes the selected objects, and creates them again', async () => {
    for (const name of ['gadget-3', 'gadget-4']) await select(name);
    await page.getByRole('button', { name: 'Label', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Key').fill('tier');
    await page.getByRole('dialog').getByLabel('Value').fill('front');
    await page.getByRole('button', { name: 'Set the label' }).click();
    await eventually(async () => expect((await (await gadgets()).get('gadget-4')).metadata.labels?.tier).toBe('front'));
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: /Delete 2 gadgets/ });
    expect(await dialog.textContent()).toContain('default/gadget-3');
    await dialog.getByRole('button', { name: 'Delete 2 gadgets' }).click();
    await count(objects - 2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await count(objects);
    expect((await (await gadgets()).get('gadget-3')).metadata.labels?.tier).toBe('front');
  });

  it.runIf(isFirst)('deletes nine of ten objects, shows why the tenth was refused, and tries it again', async () => {
    await select('gadget-11');
    await rowOf('gadget-21')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    const path = '**/gadgets/gadget-17**';
    await page.route(path, (route) => route.fulfill({ status: 403, json: statusOf(403, 'Forbidden') }));
    const dialog = page.getByRole('dialog', { name: /^Delete/ });
    await dialog.getByRole('button', { name: 'Delete 10 gadgets' }).click();
    await dialog.getByText('1 could not be deleted').waitFor();
    expect(await dialog.textContent()).toContain(markup);
    await count(objects - 9);
    await page.getByText('1 selected').waitFor();
    await page.unroute(path);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await count(objects - 10);
    for (let index = 11; index <= 21; index++) if (index % 10 !== 0) await client.create(gadget(index));
    await count(objects);
  });

  it.runIf(isFirst)('works with keys alone', async () => {
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    await rowOf('gadget-1').getByRole('link').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await eventually(async () => expect(await focused()).toBe(`gadget-${objects - 10}`));
    await page.keyboard.press('Home');
    await eventually(async () => expect(await focused()).toBe('gadget-1'));
    await page.keyboard.press('Space');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('4 selected').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText(`${objects} selected`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('selected').waitFor({ state: 'detached' });
    await page.keyboard.press('PageDown');
    await eventually(async () => expect(await focused()).not.toBe('gadget-5'));
    await page.keyboard.press('Home');
    await eventually(async () => expect(await focused()).toBe('gadget-1'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/gadgets\/default\/gadget-1$/);
    await page.goBack();
    await rowOf('gadget-1').waitFor();
  });

  it.runIf(isFirst)('hides and shows columns by choice', async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByText('Show Wide').click();
    await page.getByRole('columnheader', { name: 'Wide' }).waitFor();
    await rowOf('gadget-1').getByText('only on choice').waitFor();
  });

  it.runIf(isFirst)('shows an object with 5,000 labels and texts in every script, and runs none of them', async () => {
    const labels = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`label-${at}`, `value-${at}`]));
    await client.create({ ...gadget(1), metadata: { name: 'a-labels', namespace: 'default', labels } });
    await rowOf('a-labels').waitFor();
    for (const note of notes) expect(await page.getByText(note, { exact: true }).count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    await (await gadgets()).delete('a-labels');
  });

  it.runIf(isFirst)('has no faults that axe finds, light and dark, wide and on a phone', async () => {
    await select('gadget-1');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await faultsOf(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
  });

  it('keeps the namespace of this tab for other kinds', async () => {
    await filter('Namespace').fill('other');
    await filter('Namespace').press('Enter');
    await count(objects / 10);
    await goTo(page, 'kinds/core/v1/configmaps');
    await page.waitForURL(/configmaps\?ns=other$/);
    await filter('Namespace').fill('');
    await filter('Namespace').press('Enter');
    await goTo(page, address);
    await count(objects);
  });

  it.runIf(isFirst)('completes selectors with labels of objects', async () => {
    await filter('Label selector').fill('app=odd,');
    const list = await filter('Label selector').getAttribute('list');
    await expect.poll(() => page.locator(`[id="${list}"] option`).count()).toBeGreaterThan(1);
    expect(await page.locator(`[id="${list}"] option`).first().getAttribute('value')).toBe('app=odd,app=even');
    await filter('Label selector').fill('');
  });

  it('describes a kind without a list, and offers to create an object', async () => {
    const { group, version } =
      (await client.kinds()).kinds.find(({ plural }) => plural === 'selfsubjectaccessreviews') ?? {};
    await goTo(page, `kinds/${group}/${version}/selfsubjectaccessreviews`);
    await page.getByText('Asks whether the caller may do something').waitFor();
    await page.locator('main').getByRole('link', { name: 'Create SelfSubjectAccessReview' }).waitFor();
  });

  it('offers only what the user may do, and lists again and again without the right to watch', async () => {
    await page.route('**/gadgets?*watch=true*', (route) =>
      route.fulfill({ status: 403, json: statusOf(403, 'Forbidden') }),
    );
    await page.evaluate(() => sessionStorage.clear());
    await page.route('**/selfsubjectaccessreviews*', (route) =>
      route.fulfill({ status: 201, json: { kind: 'A', apiVersion: 'v1', metadata: {}, status: { allowed: false } } }),
    );
    await page.goto(`${server.url}/console/${address}`);
    // Without it, watches come over HTTP, and the test can refuse them.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    await page.getByRole('button', { name: 'Go on without signing in' }).click();
    await page.getByText('are not sent to you').waitFor();
    expect(await page.getByRole('link', { name: 'Create Gadget' }).count()).toBe(0);
    await page.unrouteAll();
    await page.goto(`${server.url}/console/${address}`);
    await page.getByRole('button', { name: 'Go on without signing in' }).click();
    await page.getByRole('link', { name: 'Create Gadget' }).waitFor();
  });

  it.runIf(isFirst)('begins again when the server drops a list halfway, and reports it', async () => {
    let refused = 0;
    await page.route('**/gadgets?*continue=*', (route) =>
      refused++ === 0 ? route.fulfill({ status: 410, json: statusOf(410, 'Expired') }) : route.continue(),
    );
    await goTo(page, 'kinds/core/v1/configmaps');
    await page.getByRole('heading', { name: 'ConfigMap' }).waitFor();
    await goTo(page, address);
    await page.getByText('The server did not keep the rest of the list').waitFor();
    await count(objects);
    await page.getByText('The server did not keep the rest of the list').waitFor({ state: 'detached' });
    await page.unrouteAll();
  });

  it.runIf(isFirst)('reports that the user may not list, with the message of the server', async () => {
    const path = '**/gadgets?*';
    await page.route(path, (route) => route.fulfill({ status: 403, json: statusOf(403, 'Forbidden') }));
    await goTo(page, 'definitions');
    await goTo(page, address);
    await page.getByText('You may not do this').waitFor();
    await page.getByText(markup).first().waitFor();
    await page.unroute(path);
  });

  it('lists again when the server has forgotten the revision of the watch', async () => {
    const expired = `${JSON.stringify({ type: 'ERROR', object: statusOf(410, 'Expired') })}\n`;
    let expirations = 0;
    await page.routeWebSocket(/gadgets\?.*watch=/, (socket) => {
      if (expirations++ > 0) return void socket.connectToServer();
      socket.send(expired);
      return void socket.close();
    });
    await page.goto(`${server.url}/console/${address}`);
    await page.getByRole('button', { name: 'Go on without signing in' }).click();
    await rowOf('gadget-1').waitFor();
    await eventually(() => expect(expirations).toBe(2));
    await (await gadgets()).patch('gadget-2', { spec: { note: 'after the expiration' } });
    await rowOf('gadget-2').getByText('after the expiration').waitFor();
  });

  it.runIf(isFirst)(
    'reports on every page that the server is away, keeps its content, and continues by itself',
    async () => {
      const others = ['', `${address}/default/gadget-1`, `create?kind=${address.slice(6)}`, 'definitions', 'access'];
      const [home, object, create, definitions, access] = await Promise.all(others.map(consoles.openApart));
      if (!home || !object || !create || !definitions || !access) throw new Error('a page did not open');
      const pages = [page, home, object, create, definitions, access];
      await create.getByLabel('name', { exact: true }).fill('typed');
      await object.getByRole('heading', { name: 'gadget-1' }).waitFor();
      await definitions.getByRole('link', { name: /gadgets/ }).waitFor();
      await access.getByRole('button', { name: 'Ask' }).waitFor();
      await server.kill();
      await Promise.all(pages.map((one) => one.getByText('The server has not answered').waitFor()));
      expect(await rows().count()).toBeGreaterThan(10);
      expect(await create.getByLabel('name', { exact: true }).inputValue()).toBe('typed');
      expect(await object.getByRole('heading', { name: 'gadget-1' }).count()).toBe(1);
      expect(await definitions.getByRole('link', { name: /gadgets/ }).count()).toBe(1);
      await goTo(access, `${address}/default/gadget-2`);
      server = await startServerProcess(...flags, '--http-port', new URL(server.url).port);
      await eventually(async () => (await gadgets()).patch('gadget-1', { spec: { note: 'after the break' } }));
      await rowOf('gadget-1').getByText('after the break').waitFor();
      await access.getByRole('heading', { name: 'gadget-2' }).waitFor();
      await Promise.all(
        pages.map((one) => one.getByText('The server has not answered').waitFor({ state: 'detached' })),
      );
      expect(await create.getByLabel('name', { exact: true }).inputValue()).toBe('typed');
      await Promise.all(pages.slice(1).map((one) => one.context().close()));
    },
  );

  it('reports that the kind is gone when its definition is deleted', async () => {
    await (await client.resource('customresourcedefinitions')).delete('gadgets.shop.example.com');
    await page.getByText('The server has no gadgets').waitFor();
    expect(consoles.errors.filter((error) => !/ERR_|Failed to fetch/.test(error))).toEqual([]);
  });
});
