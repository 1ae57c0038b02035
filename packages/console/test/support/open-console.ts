/** Opens pages of the console that a server serves, in Chromium. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentConsole } from '../../../../bin/current-build.mjs';
import { browser } from '../../../../test/support/browser.js';
import { root } from '../../../../test/support/shared.js';
import { type BrowserContext, chromium, type Page } from '../../../interop/node_modules/playwright-core/index.mjs';

/** Whether this machine has a browser for the tests. */
export const isReady = browser !== undefined;

export interface OpenConsole {
  /** Opens a page by its address after `/console/`, at 1440 × 900. Does not sign in: the server lets everybody in. */
  open(address: string): Promise<Page>;
  /** Opens a page as `open` does, in a window that shares nothing with others, not even connections. */
  openApart(address: string): Promise<Page>;
  /** Opens a whole address, such as the link that signs in. */
  visit(url: string): Promise<Page>;
  /** Errors that the browser reports, such as violations of the content security policy. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Builds the console if necessary, and opens a browser. `server` is an address as in `http://127.0.0.1:8080`. */
export async function openConsole(server: string): Promise<OpenConsole> {
  currentConsole();
  const opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
  const errors: string[] = [];
  const newContext = async (): Promise<BrowserContext> => {
    const context = await opened.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(60_000);
    context.on('weberror', (error) => errors.push(error.error().message));
    context.on('console', (message) => {
      const isAnswer = /^Failed to load resource|^WebSocket connection to \S+ failed/.test(message.text());
      if (message.type() === 'error' && !isAnswer)
        errors.push(`${message.text()} at ${message.location().url}:${message.location().lineNumber}`);
    });
    return context;
  };
  const context = await newContext();
  const visit = async (url: string, where = context): Promise<Page> => {
    const page = await where.newPage();
    await page.goto(url);
    return page;
  };
  const open = async (address: string, where?: BrowserContext): Promise<Page> => {
    const page = await visit(`${server}/console/${address}`, where);
    await page.getByRole('button', { name: 'Go on without signing in' }).click();
    return page;
  };
  return {
    errors,
    visit: (url) => visit(url),
    open: (address) => open(address),
    openApart: async (address) => open(address, await newContext()),
    close: () => opened.close(),
  };
}

/** Goes to another page in the same tab, as a link does. */
export const goTo = (page: Page, address: string): Promise<void> =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/console/${address}`);

/** Pastes a text over the one in the editor of a page. */
export async function pasteOver(page: Page, text: string): Promise<void> {
  const content = page.locator('.cm-content');
  await content.focus();
  await page.keyboard.press('Control+A');
  await content.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const axe = readFileSync(join(root, 'packages/interop/node_modules/axe-core/axe.min.js'), 'utf8');

/** Resolves to the faults that axe finds: for each rule, its name and the elements. Call it once nothing moves. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const run: unknown = Reflect.get(Reflect.get(globalThis, 'axe'), 'run');
    if (typeof run !== 'function') throw new TypeError('axe is not there');
    const { violations } = await run(document);
    return violations.map(
      ({ id, nodes }: { id: string; nodes: readonly { html: string; failureSummary: string }[] }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join('\n')}`,
    );
  });
}
