/** Signs in to the console in Chromium. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { currentConsole } from '../../../bin/current-build.mjs';
import { type RunningProvider, startProvider } from '../../../examples/login/provider.js';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { browser } from '../../../test/support/browser.js';
import { makeServerCertificate } from '../../../test/support/certificates.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import { type Browser, chromium, type Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { goTo, isReady } from './support/open-console.js';

describe.skipIf(!isReady)('signing in', () => {
  let server: ListeningServer;
  let opened: Browser;

  beforeAll(async () => {
    currentConsole();
    server = await startServer({ storage: 'memory', console: true, controllers: [], naming: 'kubernetes' });
    opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
  });
  // An open page reads the metrics of its server again and again.
  afterEach(() => Promise.all(opened.contexts().map((context) => context.close())));
  afterAll(async () => {
    await opened?.close();
    await server?.stop();
  });

  const link = (): string => server.consoleLink?.() ?? '';
  /** Opens an address in a browser that remembers nothing. */
  const open = async (address: string): Promise<Page> => {
    const page = await (await opened.newContext()).newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(address);
    return page;
  };
  const home = (page: Page) => page.getByRole('heading', { name: 'Home', level: 1 });
  const form = (page: Page) => page.getByRole('heading', { name: 'Sign in to Kindforge' });
  const menu = (page: Page) => page.getByRole('button', { name: /^Signed in as/ });

  it('takes one click on the printed link, and removes the code from the address', async () => {
    const page = await open(link());
    await home(page).waitFor();
    expect(page.url()).toBe(`${server.url}/console/`);
    await menu(page).waitFor();
    await page.reload();
    await home(page).waitFor();
  });

  it('is for one tab, and works once', async () => {
    const once = link();
    await home(await open(once)).waitFor();
    const second = await open(once);
    await form(second).waitFor();
    await second.getByText('the code is unknown, used or older than two minutes').waitFor();
  });

  it('accepts a token, reports a wrong one, and keeps the requested page', async () => {
    const page = await open(`${server.url}/console/definitions`);
    await form(page).waitFor();
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed out').waitFor();
    const code = link().split('#code=')[1];
    const answer = await fetch(`${server.url}/console/api/sign-in`, { method: 'POST', body: JSON.stringify({ code }) });
    const { token } = JSON.parse(await answer.text());
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Definitions', level: 1 }).waitFor();
  });

  it('ends when the user signs out', async () => {
    const page = await open(link());
    await menu(page).waitFor();
    const kept = () => page.evaluate(() => Object.keys(sessionStorage));
    await goTo(page, 'kinds/core/v1/namespaces');
    await page.getByRole('link', { name: 'kube-system' }).waitFor();
    await goTo(page, 'create?kind=core/v1/configmaps');
    await page.getByLabel('name', { exact: true }).fill('typed');
    await expect.poll(async () => (await kept()).length).toBeGreaterThan(2);
    await menu(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await form(page).waitFor();
    await page.waitForTimeout(1000);
    expect(await kept()).toEqual([]);
    await page.reload();
    await form(page).waitFor();
  });

  it('continues as another user, with the rights of that user, and returns', async () => {
    const page = await open(link());
    await menu(page).click();
    await page.getByRole('menuitem', { name: 'View as …' }).click();
    await page.getByRole('textbox', { name: 'User' }).fill('jane');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByText('You see this as jane.').waitFor();
    await page.getByText('a right that you do not have').first().waitFor();
    await page.getByRole('button', { name: 'Return to your own view' }).click();
    await expect.poll(() => page.getByText('You see this as jane.').count()).toBe(0);
    await home(page).waitFor();
  });
});

describe.skipIf(!isReady)('signing in at an identity provider', () => {
  const folder = scratchFolder();
  let seconds = 300;
  let provider: RunningProvider;
  let server: ListeningServer;
  let opened: Browser;
  let page: Page;

  beforeAll(async () => {
    currentConsole();
    const certificate = await makeServerCertificate();
    provider = await startProvider({
      ...certificate,
      get idTokenSeconds() {
        return seconds;
      },
      claims: (user) => (user === 'mallory' ? { nonce: 'of somebody else' } : {}),
    });
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, certificate.cert);
    const oidc = { issuerUrl: provider.url, clientId: 'shop', caFile };
    const authentication = { oidc };
    server = await startServer({
      storage: 'memory',
      console: true,
      controllers: [],
      naming: 'kubernetes',
      authentication,
    });
    opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await opened?.close();
    await server?.stop();
    await provider?.close();
  });

  /** Opens the page of definitions, and goes to the provider. */
  async function goToProvider(): Promise<Page> {
    const tab = await (await opened.newContext({ ignoreHTTPSErrors: true })).newPage();
    tab.setDefaultTimeout(60_000);
    await tab.goto(`${server.url}/console/definitions?q=map`);
    await tab.getByRole('button', { name: `Sign in with ${new URL(provider.url).host}` }).click();
    await tab.getByLabel('Log in as').waitFor();
    return tab;
  }
  const logIn = async (tab: Page, user: string): Promise<void> => {
    await tab.getByLabel('Log in as').fill(user);
    await tab.getByRole('button', { name: 'Go on' }).click();
  };
  const subjectOf = (token: string | null): string =>
    JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()).sub;
  const keptToken = (): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('kindforge-token'));

  it('returns to the page, and removes the answer from the address', async () => {
    seconds = 5;
    page = await goToProvider();
    const asked = new URL(page.url()).searchParams;
    expect([asked.get('code_challenge_method'), asked.get('scope')]).toEqual([
      'S256',
      'openid email groups offline_access',
    ]);
    await logIn(page, 'anna');
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    expect(page.url()).toBe(`${server.url}/console/definitions?q=map`);
    expect(await page.evaluate(() => sessionStorage.getItem('kindforge-login'))).toBeNull();
  });

  it('gets another token when the first has expired, without asking the user', async () => {
    seconds = 300;
    const first = await keptToken();
    expect(subjectOf(first)).toBe('anna');
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    // Each page asks the server something.
    await page.getByRole('link', { name: 'Home' }).first().click();
    await expect.poll(keptToken).not.toBe(first);
    expect(subjectOf(await keptToken())).toBe('anna');
    expect(await page.getByRole('dialog', { name: 'Your session has ended' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
  });

  it('refuses tokens of another request, and answers for another tab', async () => {
    const tab = await goToProvider();
    await logIn(tab, 'mallory');
    await tab.getByText('gave an ID token that is not for this request').waitFor();
    const other = await goToProvider();
    await other.goto(`${server.url}/console/?code=stolen&state=other`);
    await other.getByText('not for this tab').waitFor();
    await other.goto(`${server.url}/console/?error=access_denied&state=other`);
    expect(await other.getByText('access_denied').count()).toBe(0);
  });
});
