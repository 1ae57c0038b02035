/** The page of definitions in Chromium, against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamicApi, DynamicObject } from '../../../client/index.js';
import { eventually } from '../../../test/support/eventually.js';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { textOf } from '../src/pages/definitions/definition-draft.js';
import { gadgets } from './support/gadgets.js';
import { goTo, isReady, type OpenConsole, pasteOver } from './support/open-console.js';
import { type ServedConsole, serveConsole } from './support/serve-console.js';

const markup = '<img src=x onerror="window.hacked=1">{{7*7}}javascript:alert(1)';
const hostile = `\u202e${markup}`;

const lamps = (apiVersion: string): DynamicObject => ({
  apiVersion,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.light.example.com' },
  spec: {
    group: 'light.example.com',
    scope: 'Namespaced',
    names: { plural: 'lamps', singular: 'lamp', kind: 'Lamp', shortNames: ['lp'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: hostile,
                properties: {
                  watts: { type: 'integer', maximum: 100, description: 'How bright it is.' },
                  colour: { type: 'object', properties: { hue: { type: 'string', enum: ['warm', 'cold'] } } },
                },
              },
            },
          },
        },
      },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        deprecated: true,
        deprecationWarning: markup,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
});

/** Another definition of a kind of the server. */
const revisions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: controllerrevisions.apps }
spec:
  group: apps
  scope: Namespaced
  names: { plural: controllerrevisions, kind: ControllerRevision }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { edition: { type: integer } } } }
`;

describe.skipIf(!isReady).each(['kubernetes', 'platform'])('definitions under the naming %s', (naming) => {
  /** The naming does not matter for tests that run only then. */
  const isFirst = naming === 'kubernetes';
  let served: ServedConsole;
  let consoles: OpenConsole;
  let client: DynamicApi;
  let page: Page;

  async function prepare(client: DynamicApi): Promise<void> {
    const { group } = await client.kind('customresourcedefinitions');
    await client.create(lamps(`${group}/v1`));
    await eventually(() => {
      client.forget();
      return client.kind('lamps');
    });
  }

  beforeAll(async () => {
    served = await serveConsole('definitions?q=lamp', ['--naming', naming], prepare);
    ({ client, consoles, page } = served);
  });
  afterAll(() => served?.close());

  const content = () => page.locator('.cm-content');

  /** Opens the editor of the lamps, and returns the text of their definition. */
  async function edit(): Promise<string> {
    await goTo(page, 'definitions/light.example.com/lamps?tab=edit');
    await content().getByText('lamps').first().waitFor();
    return textOf(await client.get(lamps(`${(await client.kind('customresourcedefinitions')).group}/v1`)));
  }
  const check = () => page.getByRole('button', { name: 'Check' }).click();

  const field = () => page.getByRole('region', { name: 'Field' });

  it('lists kinds by group, with a filter in the address', async () => {
    await page.getByRole('link', { name: /lamps/ }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['light.example.com']);
    await page.getByLabel('Filter definitions').fill('configmap');
    await page.getByRole('heading', { name: 'core' }).waitFor();
    expect(page.url()).toContain('q=configmap');
  });

  it('shows the versions of a kind, and fields by a link', async () => {
    await goTo(page, 'definitions/light.example.com/lamps?version=v1&field=spec.colour.hue');
    await field().getByText('"warm"').waitFor();
    expect(await page.getByRole('treeitem', { selected: true }).getAttribute('data-path')).toBe('spec.colour.hue');
    const row = page.getByRole('row').filter({ hasText: 'v1alpha1' });
    expect(await row.textContent()).toContain(markup);
    await page.getByRole('treeitem', { selected: true }).press('ArrowLeft');
    await page.waitForURL(/field=spec\.colour$/);
  });

  it.runIf(isFirst)('finds fields by their descriptions', async () => {
    await page.getByLabel('Find fields').fill('how bright');
    await page.getByRole('button', { name: 'spec.watts' }).click();
    await field().getByText('How bright it is.').waitFor();
    expect(await field().textContent()).toContain('At most 100'.replace(' 100', ''));
    await page.getByLabel('Find fields').fill('');
    await page.getByRole('treeitem').filter({ hasText: 'spec' }).first().click();
    expect(await field().textContent()).toContain(hostile);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
  });

  it.runIf(isFirst)('lists the remaining steps before a version can be dropped', async () => {
    await goTo(page, 'definitions/light.example.com/lamps?version=v1alpha1');
    await page.getByText('How to drop v1alpha1').click();
    expect(await page.locator('details li').allTextContents()).toEqual([
      'Set served: false, and watch for clients that still ask for it.',
      'Remove v1alpha1 from spec.versions.',
    ]);
  });

  it.runIf(isFirst)('opens a schema of 3,000 fields and 40 levels in parts', async () => {
    await client.create(gadgets(`${(await client.kind('customresourcedefinitions')).group}/v1`));
    await goTo(page, 'definitions/shop.example.com/gadgets?field=spec.many.field2999');
    await page.getByRole('treeitem', { selected: true }).getByText('field2999').waitFor();
    expect(await page.getByRole('treeitem').count()).toBeLessThan(250);
    const deepest = Array.from({ length: 40 }, (_, i) => `level${40 - i}`).join('.');
    await goTo(page, `definitions/shop.example.com/gadgets?field=spec.deep.${deepest}`);
    await page.getByRole('treeitem', { selected: true }).getByText('level1', { exact: true }).waitFor();
    expect(await page.getByRole('treeitem', { selected: true }).getAttribute('aria-level')).toBe('42');
    await page.getByLabel('Find fields').fill('field2998');
    await page.getByRole('button', { name: 'spec.many.field2998' }).waitFor();
    await page.getByLabel('Find fields').fill('');
  });

  it.runIf(isFirst)('has the fields of a kind of the server', async () => {
    await goTo(page, 'definitions/core/pods?field=spec.containers.image');
    await field().getByText('spec.containers.image').waitFor();
  });

  it('shows errors of a definition at their line, and publishes a new version of it', async () => {
    const before = await edit();
    await pasteOver(page, before.replace('type: integer', 'type: nothing'));
    await check();
    const line = before.split('\n').findIndex((one) => one.includes('type: integer')) + 1;
    await page.getByRole('button', { name: `Line ${line}` }).waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    const column = '    additionalPrinterColumns: [{ name: Watts, type: integer, jsonPath: .spec.watts }]\n';
    await pasteOver(page, before.replace('  - name: v1\n', `  - name: v1\n${column}`));
    await check();
    await page.getByText('The server accepts it').first().waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('lamps.light.example.com is published').waitFor();
    await expect
      .poll(async () => (await (await client.resource('lamps')).table()).columnDefinitions.map(({ name }) => name))
      .toContain('Watts');
  });

  it.runIf(isFirst)('tries a definition before it is published, and shows the warnings of the server', async () => {
    const dryRuns: (string | null)[] = [];
    await page.route('**/customresourcedefinitions/lamps*', async (route) => {
      const { searchParams } = new URL(route.request().url());
      if (route.request().method() === 'PUT') dryRuns.push(searchParams.get('dryRun'));
      const response = await route.fetch();
      const headers = { ...response.headers(), warning: '299 - "no lamp was ever so bright"' };
      await route.fulfill({ response, headers });
    });
    await pasteOver(page, (await edit()).replace('How bright it is.', 'How bright it may be.'));
    await check();
    await page.getByText('no lamp was ever so bright').first().waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('lamps.light.example.com is published').waitFor();
    expect(dryRuns).toEqual(['All', null]);
    await page.unrouteAll();
  });

  it.runIf(isFirst)('lists a hundred definitions', async () => {
    const { apiVersion, kind, spec } = lamps(`${(await client.kind('customresourcedefinitions')).group}/v1`);
    const create = (_: unknown, i: number): Promise<unknown> => {
      const [group, names] = ['many.example.com', { plural: `many${i}`, kind: `Many${i}` }];
      return client.create({
        apiVersion,
        kind,
        metadata: { name: `many${i}.${group}` },
        spec: { ...Object(spec), group, names },
      });
    };
    await Promise.all(Array.from({ length: 100 }, create));
    await goTo(page, 'definitions?q=many.example.com');
    await page.getByText('100 kinds').waitFor({ timeout: 20_000 });
    await page.getByLabel('Filter definitions').fill('many42');
    await page.getByText('1 kind', { exact: true }).waitFor();
  });

  it('shows the new column in the list of the kind', async () => {
    await client.create({
      apiVersion: 'light.example.com/v1',
      kind: 'Lamp',
      metadata: { name: 'hall' },
      spec: { watts: 75 },
    });
    await goTo(page, 'kinds/light.example.com/v1/lamps');
    await page.getByRole('columnheader', { name: 'Watts' }).waitFor();
  });

  it.runIf(isFirst)('reports on other servers that only Kindforge knows what a change breaks', async () => {
    await page.route('**/console/api/diff', (route) => route.fulfill({ status: 404, body: 'not found' }));
    await pasteOver(page, (await edit()).replace('maximum: 100', 'maximum: 60'));
    await check();
    await page.getByText('Only Kindforge can report').waitFor();
    await page.unroute('**/console/api/diff');
  });

  it.runIf(isFirst)('reports what a change breaks, with an object that shows it', async () => {
    // The tab has kept the typed text.
    await goTo(page, 'definitions');
    await edit();
    await content().focus();
    await page.keyboard.press('Control+End');
    await expect.poll(() => content().innerText()).toContain('maximum: 60');
    await check();
    await page.getByText('1 change breaks clients or stored objects.').waitFor();
    await page.getByText('affects clients that write').waitFor();
    await page
      .getByText(/then: refused: spec\.watts/)
      .first()
      .waitFor();
    const publish = page.getByRole('button', { name: 'Publish' });
    expect(await publish.isDisabled()).toBe(true);
    await page.getByLabel('Publish it although it breaks').check();
    expect(await publish.isDisabled()).toBe(false);
  });

  it('compares a kind of the server with another definition of it', async () => {
    await goTo(page, 'definitions/apps/controllerrevisions?tab=compare');
    await content().getByText('controllerrevisions.apps').waitFor();
    await pasteOver(page, revisions);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText(/changes? breaks? clients or stored objects/).waitFor();
  });

  it.runIf(isFirst)('does not overwrite a change of somebody else', async () => {
    const text = await edit();
    await client.patch(
      { ...lamps(`${(await client.kind('customresourcedefinitions')).group}/v1`) },
      { metadata: { annotations: { by: 'somebody' } } },
    );
    await pasteOver(page, `${text}\n`);
    await check();
    await page.getByText('Somebody has changed this definition').waitFor();
  });

  it('begins a new definition from a template', async () => {
    await goTo(page, 'definitions?new=1');
    await content().getByText('widgets.shop.example.com').waitFor();
    await check();
    await page.getByText('The server accepts it').first().waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.waitForURL(/definitions\/shop\.example\.com\/widgets$/);
    await page.getByRole('heading', { name: 'Widget' }).waitFor();
  });

  it('reports that the kind was deleted while it is open', async () => {
    await (await client.resource('customresourcedefinitions')).delete('widgets.shop.example.com');
    await page.getByText('The server does not have this kind').waitFor();
  });

  it.runIf(isFirst)('lists kinds without their definitions for users who may not read definitions', async () => {
    const refusal = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, reason: 'Forbidden' };
    await page.route('**/customresourcedefinitions?*', (route) => route.fulfill({ status: 403, json: refusal }));
    await goTo(page, 'access');
    await goTo(page, 'definitions/light.example.com/lamps?field=spec.watts');
    await page.getByText('you may not know').waitFor();
    await field().getByText('How bright it may be.').waitFor();
    await page.unrouteAll();
  });

  it.runIf(isFirst)('reports a kind that does not exist', async () => {
    await goTo(page, 'definitions/gone.example.com/things');
    await page.getByText('The server does not have this kind').waitFor();
  });

  it('does not violate the content security policy', () => expect(consoles.errors).toEqual([]));
});
