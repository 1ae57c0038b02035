/** Creating objects and applying documents in Chromium, and the command palette. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamicApi, isNotFound } from '../../../client/index.js';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { faultsOf, goTo, isReady, type OpenConsole } from './support/open-console.js';
import { type ServedConsole, serveConsole } from './support/serve-console.js';

const lampDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lamps.light.example.com }
spec:
  group: light.example.com
  scope: Namespaced
  names: { plural: lamps, kind: Lamp }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: { spec: { type: object, properties: { watts: { type: integer } } } }
`;

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };

const documents = (name: string): string => `${lampDefinition}---
apiVersion: light.example.com/v1
kind: Lamp
metadata: { name: ${name} }
spec: { watts: 5 }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: changed }
data: { a: "2" }
---
apiVersion: v1
kind: Namespace
metadata: { name: default }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: refused }
data: 7
---
apiVersion: v1
kind: ConfigMap
metadata: { name: held }
data: { a: "2" }
`;

describe.skipIf(!isReady)('creating', () => {
  let served: ServedConsole;
  let client: DynamicApi;
  let consoles: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    const changed = { ...configMap, metadata: { name: 'changed' }, data: { a: '1' } };
    served = await serveConsole('create', ['--naming', 'kubernetes'], async (api) => {
      await api.apply(changed, { fieldManager: 'kindforge-console' });
      await api.apply({ ...changed, metadata: { name: 'held' } }, { fieldManager: 'gitops' });
    });
    ({ client, consoles, page } = served);
  });
  afterAll(() => served?.close());

  const exists = async (kind: string, name: string, apiVersion = 'v1'): Promise<boolean> => {
    try {
      await client.get({ apiVersion, kind, metadata: { name } });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
  /** Writes a text into the empty field for YAML. */
  const paste = async (text: string): Promise<void> => {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  };

  it('begins with a kind, shows the object that would be stored, and undoes the creation', async () => {
    await page.getByLabel('Find a kind').fill('configm');
    await page
      .getByLabel('Kinds', { exact: true })
      .last()
      .getByRole('link', { name: /ConfigMap/ })
      .click();
    await page.getByRole('heading', { name: 'Create ConfigMap', level: 1 }).waitFor();
    await page.locator('.cm-content').waitFor();
    await page.getByRole('button', { name: 'Create ConfigMap' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create ConfigMap' });
    await dialog.getByText('my-configmap').first().waitFor();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'my-configmap', level: 1 }).waitFor();
    expect(await exists('ConfigMap', 'my-configmap')).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => exists('ConfigMap', 'my-configmap')).toBe(false);
  });

  it('plans documents, takes over fields on request, applies valid documents, and deletes the new ones again', async () => {
    await goTo(page, 'create?way=documents');
    await paste(documents('desk'));
    await page.getByRole('button', { name: 'Show the plan' }).click();
    const steps = page.locator('ul[aria-label=Plan] > li');
    await expect.poll(() => steps.count()).toBe(6);
    const fates = await steps.evaluateAll((all) =>
      all.map((one) => one.querySelector('.head')?.textContent?.replace(/\s+/g, ' ').trim()),
    );
    expect(fates).toEqual([
      'Unchanged Namespace default',
      'New CustomResourceDefinition lamps.light.example.com',
      'Changed ConfigMap changed',
      'Refused ConfigMap refused',
      'Conflict ConfigMap held',
      'New, after others Lamp desk',
    ]);
    const marks = page.getByRole('list', { name: 'Problems in the YAML' });
    await marks.getByText('line 34:').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply 3' }).waitFor();
    const held = steps.filter({ hasText: 'held' });
    await held.getByText('gitops holds .data.a').waitFor();
    await held.getByRole('checkbox', { name: 'Take over its fields' }).check();
    await held.getByText('Changed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Apply 4' }).click();
    await page.getByText('4 applied').first().waitFor();
    await page.getByRole('button', { name: 'Apply 0' }).waitFor();
    expect((await client.get({ ...configMap, metadata: { name: 'held' } })).data).toEqual({ a: '2' });
    expect(await exists('Lamp', 'desk', 'light.example.com/v1')).toBe(true);
    await page.getByRole('button', { name: 'Undo: delete the 2 new' }).click();
    await page.getByText('Deleted 2 again').first().waitFor();
    await page.getByRole('button', { name: 'Apply 2' }).waitFor();
    expect(await exists('ConfigMap', 'changed')).toBe(true);
  });

  it('takes files, shows hostile texts as they are, and stops at Cancel', async () => {
    const hostile = '<img src=x onerror=alert(1)> ⟨שלום⟩ \u202E日本語';
    const file = (i: number): string =>
      JSON.stringify({ ...configMap, metadata: { name: `file-${i}`, annotations: { a: hostile } } });
    const files = Array.from({ length: 30 }, (_, i) => ({
      name: `${i}.json`,
      mimeType: '',
      buffer: Buffer.from(file(i)),
    }));
    await goTo(page, 'create?way=documents');
    await paste('');
    await page.getByLabel('Add files, or drop them below').setInputFiles(files);
    await page.route(/dryRun=All/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Show the plan' }).click();
    const steps = page.locator('ul[aria-label=Plan] > li');
    await steps.first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const head = page.getByRole('heading', { name: /^\d+ of 30 documents$/ });
    const [planned] = (await head.textContent())?.split(' ') ?? [];
    await page.getByRole('button', { name: `Apply ${planned}` }).waitFor();
    await steps.first().locator('summary').click();
    await steps.first().getByText(hostile).first().waitFor();
    await page.unroute(/dryRun=All/);
    expect(consoles.errors).toEqual([]);
  });

  it('marks the lines of unreadable documents, and keeps the text over a reload', async () => {
    await goTo(page, 'create?way=documents');
    await paste('a: [1\nb: 2');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page
      .getByText(/\(2:1\)|line 2/)
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Go on without signing in' }).click();
    await page.locator('.cm-content').getByText('a:').first().waitFor();
  });

  it('begins with a copy of another object, in a chosen namespace', async () => {
    await goTo(page, 'create?kind=core/v1/configmaps&copy=default/changed');
    const text = page.locator('.cm-content');
    await text.getByText('name: changed-copy').waitFor();
    await page.getByLabel('Namespace', { exact: true }).fill('shop');
    await page.keyboard.press('Enter');
    await text.getByText('namespace: shop').waitFor();
    expect(new URL(page.url()).searchParams.get('ns')).toBe('shop');
  });

  it('shows the answers to reviews, which are not stored', async () => {
    const { kinds } = await client.kinds();
    const { group, version } = kinds.find(({ plural }) => plural === 'selfsubjectrulesreviews') ?? {};
    await goTo(page, `create?kind=${group}/${version}/selfsubjectrulesreviews`);
    await page.getByRole('button', { name: 'Ask the server' }).click();
    await page.getByText('The server refused this').waitFor();
    await paste(
      `apiVersion: ${group}/${version}\nkind: SelfSubjectRulesReview\nmetadata: {}\nspec: { namespace: default }\n`,
    );
    await page.getByRole('button', { name: 'Ask the server' }).click();
    await page.getByRole('heading', { name: 'The answer' }).waitFor();
  });

  it('finds pages, objects and recent pages in the palette, by keys alone', async () => {
    const field = page.getByRole('combobox', { name: 'Search or run a command' });
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('cm');
    await page
      .getByRole('option', { name: /ConfigMap/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ConfigMap', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('hel');
    await page.getByRole('option', { name: 'held ConfigMap in default' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'held', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
  });

  it('has keys for pages and filters, and ignores them while the user types', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    const filter = page.getByLabel('Find a kind');
    await filter.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('g h?/');
    expect(await filter.inputValue()).toBe('g h?/');
    await filter.blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Definitions').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    expect(new URL(page.url()).pathname).toBe('/console/create');
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('has no faults that axe finds on a phone, and no errors', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Find a kind').fill('');
    expect(await faultsOf(page)).toEqual([]);
    await goTo(page, 'create?way=documents');
    await paste(documents('phone'));
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('button', { name: 'Apply 2' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('a');
    expect(await faultsOf(page)).toEqual([]);
    expect(consoles.errors).toEqual([]);
  });
});
