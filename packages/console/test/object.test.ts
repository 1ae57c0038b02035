/** The page of an object in Chromium, against a real server: following, editing, merging, approving, deleting. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamicApi, DynamicObject } from '../../../client/index.js';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { gadgets, hostile, lamp } from './support/gadgets.js';
import { faultsOf, goTo, isReady, type OpenConsole } from './support/open-console.js';
import { type ServedConsole, serveConsole } from './support/serve-console.js';

/** A certificate request of `O=shop, CN=käthe` with a key on P-384, made by OpenSSL. */
const request = `-----BEGIN CERTIFICATE REQUEST-----
MIIBGDCBnwIBADAgMQ0wCwYDVQQKDARzaG9wMQ8wDQYDVQQDDAZrw6R0aGUwdjAQ
BgcqhkjOPQIBBgUrgQQAIgNiAAQDZNcQv4eWPTNlDxrhU341XihvEK93nXCDZgXt
3dozKc/uq1qjtXfYrUYJDV6dHW1PYfjSwiI85TM0coG4slV2C65oNfrWNAOlS5c8
IJzPSRdoHW6hhgaG3w2FJiF+PWCgADAKBggqhkjOPQQDAgNoADBlAjEA5Xh9OHEW
EmiJE9cG2P23MVh7Iz/DaoNwGSpCQi8pbZgUetVv93JmLuENtJxE9GB1AjBihCQl
GmINTn0vJXpYb6/1G4CbrZiCU22fvdWuOHUut3+Ue4AmTRULGFGdYbCLHcY=
-----END CERTIFICATE REQUEST-----
`;

const colours = (data: Record<string, string>): DynamicObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'colours', namespace: 'default' },
  data,
});

describe.skipIf(!isReady).each(['kubernetes', 'platform'])('the page of an object under the naming %s', (naming) => {
  /** The naming does not matter for tests that run only then. */
  const isFirst = naming === 'kubernetes';
  let served: ServedConsole;
  let consoles: OpenConsole;
  let client: DynamicApi;
  let page: Page;

  beforeAll(async () => {
    served = await serveConsole('', ['--naming', naming]);
    ({ client, consoles, page } = served);
  }, 60_000);
  afterAll(() => served?.close());

  /** Creates a ConfigMap with a new name for each test, and opens its page. */
  async function openColours(name: string, query = ''): Promise<DynamicObject> {
    const object = await client.create({
      ...colours({ door: 'red', wall: 'white' }),
      metadata: { name, namespace: 'default' },
    });
    await goTo(page, `kinds/core/v1/configmaps/default/${name}${query}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    return object;
  }
  const text = (value: string) => page.getByText(value, { exact: true }).first();

  it('shows changes as they happen: labels, events, and the deletion; then creates the object again', async () => {
    const object = await openColours('live');
    await client.patch(object, { metadata: { labels: { tier: 'front' } } });
    await text('tier').waitFor();
    await client.create({
      ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'painted', namespace: 'default' } },
      ...{ reason: 'Painted', message: hostile[0], type: 'Normal' },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'live',
        namespace: 'default',
        uid: object.metadata.uid,
      },
    });
    await text('Painted').waitFor();
    await text(hostile[0] ?? '').waitFor();
    await client.delete(object);
    await text('This object was deleted.').waitFor();
    await text('tier').waitFor();
    await page.getByRole('button', { name: 'Create it again' }).click();
    await expect
      .poll(() =>
        client.get(object).then(
          ({ metadata }) => metadata.labels,
          () => undefined,
        ),
      )
      .toEqual({ tier: 'front' });
    await text('This object was deleted.').waitFor({ state: 'detached' });
  });

  it.runIf(isFirst)('edits labels in place, and undoes the edit', async () => {
    const object = await openColours('labelled');
    await page.getByRole('button', { name: 'Add' }).first().click();
    await page.getByLabel('Key', { exact: true }).fill('team');
    await page.getByLabel('Value', { exact: true }).fill('blue');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await client.get(object)).metadata.labels).toEqual({ team: 'blue' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await client.get(object)).metadata.labels ?? {}).toEqual({});
  });

  it.runIf(isFirst)('shows the result before it saves, and undoes a save', async () => {
    const object = await openColours('edited', '?tab=edit');
    await page.getByLabel('door', { exact: true }).fill('green');
    await page.getByRole('button', { name: 'Save…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('data.door').waitFor();
    expect((await client.get(object)).data).toMatchObject({ door: 'red' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await client.get(object)).data).toMatchObject({ door: 'green' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await client.get(object)).data).toMatchObject({ door: 'red' });
  });

  it.runIf(isFirst)('keeps typed text when somebody else changes the object, and merges field by field', async () => {
    const object = await openColours('merged', '?tab=edit');
    await page.getByLabel('door', { exact: true }).fill('green');
    await client.patch(object, { data: { door: 'blue', roof: 'black' } });
    await page.getByText('changed this object meanwhile').waitFor();
    expect(await page.getByLabel('door', { exact: true }).inputValue()).toBe('green');
    await page.getByRole('button', { name: 'Merge field by field' }).click();
    await page.getByRole('dialog').getByRole('radio', { name: /^Mine/ }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await client.get(object)).data)
      .toEqual({ door: 'green', wall: 'white', roof: 'black' });
  });

  it.runIf(isFirst)('shows the manager of each field', async () => {
    await client.apply(colours({ door: 'red', wall: 'white' }), { fieldManager: 'painter' });
    await client.apply(colours({ wall: 'white', roof: 'black' }), { fieldManager: 'roofer' });
    await goTo(page, 'kinds/core/v1/configmaps/default/colours?tab=fields');
    const line = (path: string) => page.getByTitle(`data.${path}`);
    await line('door: painter').waitFor();
    await line('wall: painter, roofer').waitFor();
    await page.getByRole('button', { name: 'roofer' }).click();
    await expect.poll(() => page.url()).toContain('manager=roofer');
    await expect.poll(() => line('door: painter').getAttribute('class')).toContain('faint');
    expect(await line('roof: roofer').getAttribute('class')).not.toContain('faint');
  });

  it.runIf(isFirst)('lists owners and dependents, and earlier revisions with their differences', async () => {
    const owner = await openColours('owner');
    const { apiVersion, kind } = owner;
    const reference = { apiVersion, kind, name: 'owner', uid: owner.metadata.uid ?? '', controller: true };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'owned', namespace: 'default' } };
    await client.create({ ...secret, metadata: { ...secret.metadata, ownerReferences: [reference] } });
    await client.patch(owner, { data: { door: 'green' } });
    await page.getByRole('link', { name: 'Owners' }).click();
    await page.getByRole('link', { name: 'owned' }).click();
    await page.getByRole('heading', { level: 1, name: 'owned' }).waitFor();
    await goTo(page, 'kinds/core/v1/configmaps/default/owner?tab=history');
    await text('data.door').waitFor();
    expect(await page.locator('del, ins').allInnerTexts()).toEqual([
      expect.stringMatching(/red$/),
      expect.stringMatching(/green$/),
    ]);
  });

  it.runIf(isFirst)('scales through the subresource', async () => {
    const { group, version } = await client.kind('deployments');
    const labels = { app: 'web' };
    const web = await client.create({
      ...{ apiVersion: `${group}/${version}`, kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b' }] } },
      },
    });
    await goTo(page, `kinds/${group}/${version}/deployments/default/web?do=scale`);
    await page.getByRole('button', { name: 'One more' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Scale', exact: true }).click();
    await expect.poll(async () => (await client.get(web)).spec).toMatchObject({ replicas: 3 });
  });

  it('shows the facts of a certificate request, and approves it', async () => {
    const { group, version, kind, plural } = await client.kind('certificatesigningrequests');
    const spec = {
      request: Buffer.from(request).toString('base64'),
      signerName: 'example.com/own',
      usages: ['client auth'],
    };
    const csr = await client.create({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'jane' }, spec });
    await goTo(page, `kinds/${group}/${version}/${plural}/-/jane?do=approve`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('O=shop, CN=käthe').waitFor();
    await dialog.getByText('ECDSA, P-384').waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect
      .poll(async () => (await client.get(csr)).status)
      .toMatchObject({ conditions: [{ type: 'Approved', status: 'True' }] });
    await page.getByTitle('ConsoleDecision: Approved in the console').waitFor();
  });

  it('requests a token, and shows it once', async () => {
    await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bot', namespace: 'default' } });
    await goTo(page, 'kinds/core/v1/serviceaccounts/default/bot?do=token');
    await page.getByRole('button', { name: 'Request the token' }).click();
    await expect.poll(() => page.getByRole('dialog').locator('pre').innerText()).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => page.url()).not.toContain('do=token');
    expect(await page.locator('pre').count()).toBe(0);
  });

  it.runIf(isFirst)('deletes with the menu, and undoes that', async () => {
    const object = await openColours('deleted');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => client.get(object).catch(({ code }) => code)).toBe(404);
    await text('Deleted deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect
      .poll(() =>
        client.get(object).then(
          ({ data }) => data,
          () => undefined,
        ),
      )
      .toEqual({ door: 'red', wall: 'white' });
  });

  it('shows hostile texts as texts in every tab, and reports that the definition is gone', async () => {
    const { group } = await client.kind('customresourcedefinitions');
    await client.applyAll([gadgets(`${group}/v1`), lamp('lamp')], { fieldManager: hostile[0] ?? '' });
    for (const tab of ['', '?tab=edit', '?tab=fields', '?tab=owners', '?tab=history', '?do=delete']) {
      await goTo(page, `kinds/shop.example.com/v1/gadgets/default/lamp${tab}`);
      await page.getByRole('heading', { level: 1, name: 'lamp' }).waitFor();
      await page.waitForTimeout(150);
    }
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
    await goTo(page, 'kinds/shop.example.com/v1/gadgets/default/lamp');
    await client.delete(gadgets(`${group}/v1`));
    await page.getByText('So was the definition of its kind.').waitFor();
    await goTo(page, 'kinds/shop.example.com/v1/gadgets/default/other');
    await text('The server does not have this kind').waitFor();
  });

  it.runIf(isFirst)('reports a missing object, and shows it once it exists', async () => {
    await goTo(page, 'kinds/core/v1/configmaps/default/later');
    await text('No ConfigMap has this name').waitFor();
    await client.create({ ...colours({}), metadata: { name: 'later', namespace: 'default' } });
    await page.getByRole('heading', { level: 1, name: 'later' }).waitFor();
  });

  it.runIf(isFirst)('has no faults that axe finds, on a wide screen and on a phone', async () => {
    const wide = page.viewportSize() ?? { width: 1440, height: 900 };
    const object = { ...colours({ door: 'red' }), metadata: { name: 'clean', namespace: 'default' } };
    await client.patch(await client.create(object), { data: { door: 'green' } });
    for (const size of [wide, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      for (const query of ['', '?tab=edit', '?tab=fields', '?tab=owners', '?tab=history', '?do=delete']) {
        await goTo(page, `kinds/core/v1/configmaps/default/clean${query}`);
        await page.getByRole('heading', { level: 1, name: 'clean' }).waitFor();
        await page.waitForTimeout(200);
        expect([query, await faultsOf(page)]).toEqual([query, []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      }
    }
    await page.setViewportSize(wide);
  });

  it('does not violate the content security policy, and throws nothing', () => {
    expect(consoles.errors).toEqual([]);
  });
});
