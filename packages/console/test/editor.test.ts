/** The editor of objects in Chromium, against a real server: form and YAML in step, checks at their fields. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamicApi, dynamicClient } from '../../../client/index.js';
import { browser as chromiumPath } from '../../../test/support/browser.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import { type ListeningServer, startServing } from '../../../test/support/serving.js';
import { type Browser, chromium, type Locator, type Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { gadgets, hostile, lamp } from './support/gadgets.js';
import { faultsOf, pasteOver } from './support/open-console.js';
import { buildHost, type HostPage, serveHost } from './support/serve-host.js';

const files = scratchFolder();

describe.skipIf(chromiumPath === undefined).each(['kubernetes', 'platform'])(
  'the editor under the naming %s',
  (naming) => {
    /** The naming does not matter for tests that run only then. */
    const isFirst = naming === 'kubernetes';
    let server: ListeningServer;
    let client: DynamicApi;
    let host: HostPage;
    let browser: Browser;
    const refused: string[] = [];

    beforeAll(async () => {
      server = await startServing({ naming });
      client = dynamicClient({ baseUrl: server.plainUrl ?? server.url });
      const { kinds } = await client.kinds();
      const definitions = kinds.find(({ plural }) => plural === 'customresourcedefinitions');
      await client.applyAll([gadgets(`${definitions?.group}/${definitions?.version}`)], { fieldManager: 'test' });
      if (isFirst) await buildHost('editor-host', files);
      host = await serveHost(files, server.plainUrl ?? server.url);
      browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
    });

    afterAll(async () => {
      await browser?.close();
      await host?.close();
      await server?.stop();
    });

    async function open(query: string, viewport = { width: 1440, height: 900 }): Promise<Page> {
      const page = await browser.newPage({ viewport });
      page.setDefaultTimeout(60_000);
      page.on('pageerror', (error) => refused.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith('Failed to load')) refused.push(message.text());
      });
      await page.goto(`${host.url}?${query}`);
      await page
        .getByLabel('size', { exact: true })
        .or(page.getByRole('button', { name: /^spec/ }))
        .first()
        .waitFor();
      return page;
    }

    async function openLamp(name: string): Promise<Page> {
      await client.create(lamp(name));
      return open(`kind=gadgets.shop.example.com&name=${name}`);
    }

    const errorsOf = async (field: Locator): Promise<string> => {
      const ids = (await field.getAttribute('aria-describedby')) ?? '';
      return field.page().evaluate(
        (all) =>
          all
            .split(' ')
            .map((id) => document.getElementById(id)?.textContent)
            .join(' '),
        ids,
      );
    };

    const start = `# keep me
apiVersion: shop.example.com/v1
kind: Gadget
metadata: {name: new}
spec:
  size: 7   # seven
  unknown: {a: 1}
  ports:
  - name: http # first
`;

    const nested = `apiVersion: shop.example.com/v1
kind: Gadget
metadata: {name: new}
spec:
  size: 7
  ports: [{name: http}]
  options:
    "a.b/c[0]": good
  shelves:
  - boxes:
      x.y: {low: 5, high: 3}
`;

    it('changes only the line of the field that the user types into', async () => {
      const page = await open('kind=gadgets.shop.example.com');
      await pasteOver(page, start);
      await page.getByLabel('size', { exact: true }).fill('12');
      await page.getByLabel('wide', { exact: true }).fill('9223372036854775807');
      await page.getByLabel('number', { exact: true }).fill('80');
      const wanted = start
        .replace('size: 7 ', 'size: 12 ')
        .replace('# first\n', '# first\n    number: 80\n  wide: 9223372036854775807\n');
      await expect.poll(() => textOf(page)).toBe(wanted.trimEnd());
      await expect.poll(() => page.getByTestId('value').textContent()).toContain('"wide":"9223372036854775807n"');
      await page.close();
    });

    /** Returns the whole text of the YAML, line by line. */
    const textOf = (page: Page): Promise<string> =>
      page
        .locator('.cm-line')
        .allTextContents()
        .then((lines) => lines.join('\n').trimEnd());

    it.runIf(isFirst)('follows the YAML in the form, marks its errors, and keeps the last good value', async () => {
      const page = await open('kind=gadgets.shop.example.com');
      await pasteOver(page, start.replace('7', '31'));
      const size = page.getByLabel('size', { exact: true });
      await expect.poll(() => size.inputValue()).toBe('31');
      expect(await page.getByLabel('unknown', { exact: true }).inputValue()).toBe('a: 1');
      await pasteOver(page, `${start.replace('7', '32')}  bad: [\n`);
      await expect
        .poll(() => page.getByRole('status').allTextContents())
        .toEqual([expect.stringMatching(/error in line 1\d: .+/)]);
      expect(await size.inputValue()).toBe('31');
      expect(await size.isDisabled()).toBe(true);
      expect(await page.locator('.cm-sign-error').count()).toBe(1);
      await page.close();
    });

    it('shows errors of schema, CEL rules and unknown fields at their field, and does not save an invalid object', async () => {
      const page = await openLamp('checked');
      const size = page.getByLabel('size', { exact: true });
      await size.fill('70');
      await expect.poll(() => errorsOf(size)).toContain('size is at most most');
      await size.fill('700');
      await expect.poll(() => errorsOf(size)).toContain('should be less than or equal to 100');
      await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await size.fill('seven');
      expect(await errorsOf(size)).toContain('not a whole number');
      await size.fill('');
      await page.getByRole('radiogroup', { name: 'on' }).getByLabel('null').check();
      expect(await page.getByTestId('value').textContent()).toContain('"on":null');
      await size.fill('8');
      await expect.poll(() => size.getAttribute('aria-invalid')).toBe('false');
      await page.getByRole('button', { name: 'Save' }).click();
      const dialog = page.getByRole('dialog');
      await expect.poll(() => dialog.textContent()).toMatch(/spec\.size.*7.*8/s);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'hidden' });
      const stored = await client.get({
        apiVersion: 'shop.example.com/v1',
        kind: 'Gadget',
        metadata: { name: 'checked' },
      });
      expect(stored.spec).toMatchObject({ size: 8, wide: 9223372036854775807n });
      await page.close();
    });

    it.runIf(isFirst)('shows errors of rules in lists and maps at their field', async () => {
      const page = await open('kind=gadgets.shop.example.com&draft=rules');
      await pasteOver(page, nested);
      const number = page.getByLabel('number', { exact: true });
      await number.fill('666');
      await expect.poll(() => errorsOf(number)).toContain('not this number');
      await openSection(page, /^options/);
      const option = page.getByLabel('a.b/c[0]', { exact: true });
      await option.fill('bad');
      await expect.poll(() => errorsOf(option)).toContain('not bad');
      for (const name of [/^shelves/, /^1$/, /^boxes/]) await openSection(page, name);
      await expect
        .poll(() => page.locator('[data-place=\'["spec","shelves",0,"boxes","x.y"]\'] .errors').allTextContents())
        .toEqual([expect.stringContaining('low is at most high')]);
      expect(await page.getByTestId('form').locator('.notice').count()).toBe(0);
      const marked = page.locator('.cm-signs .cm-sign-error');
      expect(
        await marked.evaluateAll((signs) => signs.map((sign) => sign.getAttribute('title')?.split(':')[0])),
      ).toEqual(['spec.ports[0].number', 'spec.options[a.b/c[0]]', 'spec.shelves[0].boxes[x.y]']);
      await page.close();
    });

    /** Opens a section if it is closed. */
    async function openSection(page: Page, name: RegExp): Promise<void> {
      const toggle = page.getByRole('button', { name }).first();
      if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    }

    it.runIf(isFirst)('moves items, renames keys, and offers a few values side by side, all by keyboard', async () => {
      const page = await open('kind=gadgets.shop.example.com&draft=moves');
      await pasteOver(page, start.replace('# first\n', '# first\n  - name: https\n  options: {a: x}\n'));
      await page.getByRole('button', { name: 'Move https up' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => textOf(page)).toContain('- name: https\n  - name: http # first');
      await expect.poll(() => focusOf(page)).toBe('Move https up');
      await openSection(page, /^options/);
      await page.getByRole('button', { name: 'Rename a' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('b');
      await page.keyboard.press('Enter');
      await expect.poll(() => textOf(page)).toContain('options: {"b": x}');
      await expect.poll(() => focusOf(page)).toBe('Rename b');
      await page.getByRole('radiogroup', { name: 'mode' }).getByLabel('not set').focus();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => textOf(page)).toContain('mode: fast');
      await page.getByLabel('title', { exact: true }).fill('t');
      await expect.poll(() => textOf(page)).toContain('title: t');
      await page.getByLabel('title', { exact: true }).fill('');
      await expect.poll(() => textOf(page)).not.toContain('title');
      expect(await faultsOf(page)).toEqual([]);
      await page.close();
    });

    const focusOf = (page: Page): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

    it.runIf(isFirst)('makes elements for visible fields only, out of 3,000 fields and 40 levels', async () => {
      const page = await openLamp('large');
      const parts = page.getByTestId('form').locator('*');
      const before = await parts.count();
      console.info(`3,000 fields opened in ${await timeOf(page, /^many/)} ms`);
      expect(await page.getByLabel(/^field\d+$/).count()).toBe(40);
      expect((await parts.count()) - before).toBeLessThan(40 * 15);
      await page.getByRole('button', { name: /^Show 40 more/ }).click();
      expect(await page.getByLabel(/^field\d+$/).count()).toBe(80);
      const wide = await parts.count();
      const levels = [await timeOf(page, /^deep/)];
      for (let level = 40; level > 1; level--) levels.push(await timeOf(page, new RegExp(`^level${level} `)));
      console.info(`40 levels opened in ${Math.max(...levels)} ms each at most`);
      expect((await parts.count()) - wide).toBeLessThan(40 * 30);
      await page.getByLabel('level1', { exact: true }).fill('found');
      await expect.poll(() => page.getByTestId('value').textContent()).toContain('"level2":{"level1":"found"}');
      await page.getByRole('searchbox', { name: 'Find a field' }).fill('field2999');
      await expect.poll(() => page.getByLabel(/^field\d+$/).count()).toBe(1);
      await page.close();
    });

    /** Opens a section, and returns the time until it is painted, milliseconds. */
    const timeOf = (page: Page, name: RegExp): Promise<number> =>
      page.getByRole('button', { name }).evaluate(async (button) => {
        if (!(button instanceof HTMLElement)) throw new TypeError('not a button');
        const begin = performance.now();
        button.click();
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return Math.round(performance.now() - begin);
      });

    it.runIf(isFirst)('shows hostile texts in descriptions, enums, defaults, keys and values as text', async () => {
      const page = await openLamp('hostile');
      await page.getByRole('button', { name: /^options/ }).click();
      const form = page.getByTestId('form');
      for (const text of hostile) {
        expect(await form.textContent()).toContain(text);
        expect(await page.getByLabel('colour', { exact: true }).locator('option').allTextContents()).toContain(text);
      }
      expect(await page.getByLabel('title', { exact: true }).inputValue()).toBe(hostile[0]);
      await page.getByLabel('title', { exact: true }).fill('');
      expect(await page.getByLabel('title', { exact: true }).getAttribute('placeholder')).toBe(
        `default: ${hostile[1]}`,
      );
      expect(await form.locator('img, script, svg[onload]').count()).toBe(0);
      expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined();
      await page.close();
    });

    it.runIf(isFirst)('keeps typed text over a reload', async () => {
      const page = await openLamp('kept');
      await page.getByLabel('size', { exact: true }).fill('9');
      await page.reload();
      await page.getByRole('button', { name: 'Restore them' }).click();
      await expect.poll(() => page.getByLabel('size', { exact: true }).inputValue()).toBe('9');
      await page.close();
    });

    it.runIf(isFirst)('works with the keyboard alone: Escape, then Tab leaves the YAML', async () => {
      const page = await openLamp('keys');
      await page.locator('.cm-content').focus();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toContain(
        'cm-content',
      );
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Save');
      await page.close();
    });

    it.runIf(isFirst)('shows either form or YAML on a phone', async () => {
      const page = await open('kind=gadgets.shop.example.com', { width: 390, height: 844 });
      expect(await page.getByTestId('yaml').isVisible()).toBe(false);
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'YAML', exact: true }).click();
      await expect.poll(() => page.getByTestId('yaml').isVisible()).toBe(true);
      await page.close();
    });

    it('does not violate the content security policy', () => {
      expect(refused).toEqual([]);
    });
  },
);
