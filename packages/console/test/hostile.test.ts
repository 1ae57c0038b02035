/** Hostile texts in every field that the server accepts and a page shows, in Chromium: all of them stay texts. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { joinPath } from '../src/pages/definitions/field-path.js';
import { createHostileObjects, type Taken } from './support/hostile-objects.js';
import { hostileTexts } from './support/hostile-texts.js';
import { goTo, isReady, type OpenConsole } from './support/open-console.js';
import { type ServedConsole, serveConsole } from './support/serve-console.js';

const things = 'kinds/hostile.example.com/v1/things';
const definition = 'definitions/hostile.example.com/things?version=v1';

describe.skipIf(!isReady)('hostile texts', () => {
  let served: ServedConsole;
  let consoles: OpenConsole;
  let page: Page;
  let taken: Taken;
  /** The signs that a browser took a text for markup or code. */
  const deeds: string[] = [];

  beforeAll(async () => {
    served = await serveConsole('', ['--naming', 'kubernetes', '--controllers', 'none'], async (client) => {
      taken = await createHostileObjects(client);
    });
    ({ consoles, page } = served);
    page.on('dialog', (dialog) => {
      deeds.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${served.url}/`)) deeds.push(`request ${request.url()}`);
    });
    page.on('popup', (popup) => deeds.push(`window ${popup.url()}`));
    page.on('load', () => deeds.push(`left for ${page.url()}`));
    await page.evaluate(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`${violatedDirective} ${blockedURI}`),
      );
    });
  });
  afterAll(() => served?.close());
  let seen = 0;
  afterEach(() => {
    expect(deeds.splice(0)).toEqual([]);
    const errors = consoles.errors.slice(seen);
    seen = consoles.errors.length;
    expect(errors).toEqual([]);
  });

  /** Returns all texts of the page: of elements, fields and titles, including shadow roots. */
  const textsOfPage = (): Promise<string> =>
    page.evaluate(() => {
      const texts: string[] = [];
      const read = (root: Document | ShadowRoot): void => {
        texts.push(root.textContent ?? document.body.textContent ?? '');
        for (const element of root.querySelectorAll('*')) {
          texts.push(element.getAttribute('title') ?? '', element.getAttribute('aria-label') ?? '');
          if ('value' in element) texts.push(String(element.value));
          if (element.shadowRoot) read(element.shadowRoot);
        }
      };
      read(document);
      return texts.join('\n');
    });

  /** Waits until the page shows the texts, and looks for markup or code made from them. */
  async function showsOnly(texts: readonly string[]): Promise<void> {
    await expect
      .poll(async () => {
        const all = await textsOfPage();
        return texts.filter((text) => !all.includes(text));
      })
      .toEqual([]);
    expect(await marksOfTexts()).toEqual([]);
  }

  /** Lists the effects of texts: scripts, elements that the console does not have, strange links. */
  const marksOfTexts = (): Promise<readonly string[]> =>
    page.evaluate(() => {
      const found: string[] = [];
      if (Reflect.get(globalThis, 'hacked') !== undefined) found.push('a script ran');
      for (const element of document.querySelectorAll('*')) {
        const { outerHTML, tagName } = element;
        const isForeign = /^(iframe|object|embed|base|frame|portal)$/i.test(tagName);
        const hasHandler = element.getAttributeNames().some((name) => name.startsWith('on'));
        const isLink = element instanceof HTMLAnchorElement || element instanceof SVGAElement;
        const url = isLink ? new URL(element.getAttribute('href') ?? '', location.href) : undefined;
        const isStrange = url !== undefined && (!/^https?:$/.test(url.protocol) || url.origin !== location.origin);
        if (isForeign || hasHandler || isStrange || element.id === 'hacked') found.push(outerHTML.slice(0, 200));
      }
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
      return found;
    });

  async function showAll(): Promise<void> {
    for (const button of await page.getByRole('button', { name: /^Show more/ }).all()) await button.click();
  }

  it('stay texts among the events of the home page', () => showsOnly(hostileTexts));

  it('stay texts as columns and cells of a list', async () => {
    await goTo(page, things);
    await page.getByRole('columnheader', { name: '[object Object]' }).waitFor();
    await showsOnly(hostileTexts);
    for (const text of hostileTexts.slice(0, 6)) {
      await page.getByRole('columnheader', { name: text, exact: true }).first().getByRole('button').click();
      await page.getByLabel('Filter by text').fill(text);
      await showsOnly([text]);
    }
  });

  it('stay texts in metadata, conditions and events of an object', async () => {
    await goTo(page, `${things}/default/thing`);
    await page
      .getByRole('button', { name: /^Show more/ })
      .first()
      .waitFor();
    await showAll();
    await showsOnly(hostileTexts);
  });

  it('stay texts as managers of fields', async () => {
    await goTo(page, `${things}/default/thing?tab=fields`);
    await page.getByRole('heading', { name: 'Managers' }).waitFor();
    await showsOnly(taken.managers);
    for (const manager of taken.managers.slice(0, 6)) {
      await page.getByRole('button').filter({ hasText: manager }).click();
      await showsOnly(taken.managers);
    }
  });

  it.each(['owners', 'history', 'edit'])('stay texts in the tab %s', async (tab) => {
    await goTo(page, `${things}/default/thing?tab=${tab}`);
    await page.locator('[aria-current]', { hasText: new RegExp(tab, 'i') }).waitFor();
    await showsOnly(tab === 'history' ? [] : hostileTexts);
  });

  it('stay texts in a form with a copy of an object', async () => {
    await goTo(page, `${things}/default/thing`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
    await page.getByRole('heading', { name: 'Create Thing' }).waitFor();
    await showsOnly(hostileTexts);
  });

  it('stay texts in a plan: names, values, refusals and conflicts', async () => {
    const apiVersion = 'hostile.example.com/v1';
    const documents = [
      { apiVersion, kind: 'Thing', metadata: { name: 'thing', namespace: 'default' }, spec: { notes: { m0: 'y' } } },
      ...hostileTexts.map((name) => ({ apiVersion, kind: 'Thing', metadata: { name, namespace: 'default' } })),
      ...hostileTexts.map((kind) => ({ apiVersion, kind, metadata: { name: 'other' }, spec: { [kind]: kind } })),
    ].map((one) => JSON.stringify(one));
    await page.evaluate((text) => sessionStorage.setItem('kindforge-draft:documents', text), documents.join('\n---\n'));
    await goTo(page, 'create?way=documents');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByText(`${hostileTexts[0]} holds`).waitFor();
    await showsOnly(hostileTexts);
  });

  it('stay texts in a definition, and in each field of its schema', async () => {
    await goTo(page, definition);
    await page.getByRole('row').filter({ hasText: 'v1alpha1' }).waitFor();
    await showsOnly(hostileTexts.slice(0, 1));
    await page.getByLabel('Find fields').fill('e');
    await showsOnly(hostileTexts.filter((text) => text.includes('e')));
    for (const text of hostileTexts) {
      await goTo(page, `${definition}&field=${encodeURIComponent(joinPath(['spec', text]))}`);
      await page.getByRole('heading', { name: joinPath(['spec', text]) }).waitFor();
      await showsOnly([text]);
    }
    await goTo(page, `${definition}&tab=edit`);
    await page.locator('.cm-content').getByText('things').first().waitFor();
    await showsOnly([]);
  });

  it('stay texts in roles, bindings and subjects', async () => {
    await goTo(page, 'access?tab=roles');
    await showsOnly(taken.roles);
    for (const address of ['tab=who&verb=get&resource=secrets', 'tab=matrix&resources=secrets']) {
      await goTo(page, `access?${address}`);
      await showsOnly(taken.roles);
    }
    for (const role of taken.roles) {
      const name = encodeURIComponent(role);
      await goTo(page, `access?tab=roles&role=default/${name}&as=${name}`);
      await page.getByRole('heading', { name: `Role default/${role}` }).waitFor();
      await goTo(page, `access?tab=why&as=${name}&verb=get&resource=secrets&name=${name}`);
      await page.getByText('allowed', { exact: true }).waitFor();
      await showsOnly([role]);
    }
  });

  it('stay texts as names of objects, and in links to them', async () => {
    const list = 'kinds/rbac.authorization.k8s.io/v1/roles';
    await goTo(page, list);
    await showsOnly(taken.roles);
    for (const role of taken.roles) {
      await page.getByRole('link', { name: role, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: role }).waitFor();
      await showsOnly([role]);
      await page.goBack();
      await page.getByRole('grid').waitFor();
    }
  });

  it('stay texts in refusals of the server', async () => {
    for (const address of [things, `${things}/default/thing`, definition, 'access']) {
      for (const text of hostileTexts.slice(0, 3)) {
        const refusal = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500, message: text };
        await page.route(/\/apis\/[^?]*\/(things|customresourcedefinitions|roles)/, (route) =>
          route.fulfill({ status: 500, json: refusal }),
        );
        await goTo(page, '');
        await goTo(page, address);
        await showsOnly([text]);
        await page.unrouteAll();
      }
    }
  });

  it('stay texts in addresses', async () => {
    for (const text of hostileTexts.slice(0, 12)) {
      const part = encodeURIComponent(text);
      for (const address of [
        `${part}`,
        `kinds/${part}/${part}/${part}`,
        `${things}/${part}/${part}`,
        `${things}?q=${part}&sort=${part}&labels=${part}`,
        `${things}/default/thing?tab=${part}&do=${part}&manager=${part}`,
        `definitions/${part}/${part}`,
        `definitions?q=${part}`,
        `${definition}&field=${part}`,
        `access?tab=why&as=${part}&verb=${part}&resource=${part}&ns=${part}`,
        `create?kind=${part}&from=${part}`,
      ])
        await goTo(page, address);
      await showsOnly([]);
    }
  });

  it('stay texts in the palette', async () => {
    await page.keyboard.press('Control+k');
    for (const text of hostileTexts) {
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(text);
      await showsOnly([]);
    }
  });
});
