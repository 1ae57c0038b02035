/** People log in with `kindforge login` at a real provider. Then kubectl and the SDK act as these users. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadKubeconfig } from '../../../client/node.js';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { browser } from '../../../test/support/browser.js';
import { builtCommand } from '../../../test/support/built-command.js';
import { type Kubectl, kubectlFor, newestKubectl, printed } from '../../../test/support/kubectl.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import { cli, type OpenIdProvider, startOpenIdProvider } from '../openid-provider.js';

const { program, minor } = newestKubectl();
const folder = scratchFolder();
const kubeconfig = join(folder, 'kubeconfig');
const cache = join(folder, '.kube/cache/kindforge-login');

let provider: OpenIdProvider;
let server: ListeningServer;
let kubectl: Kubectl;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  writeFileSync(join(folder, 'provider.crt'), provider.ca);
  server = await startServer({
    naming: 'kubernetes',
    runtimeConfig: 'api/all=true',
    controllers: [],
    tls: {},
    http: false,
    credentials: { folder: join(folder, 'credentials') },
    authorization: { modes: ['AlwaysAllow'] },
    authentication: {
      anonymous: 'refused',
      oidc: {
        issuerUrl: provider.url,
        clientId: cli.id,
        caFile: join(folder, 'provider.crt'),
        groupsClaim: 'groups',
        groupsPrefix: 'team:',
      },
    },
  });
  kubectl = kubectlFor(server.url, program || 'kubectl');
});
afterAll(async () => {
  kubectl.close();
  await Promise.all([server.stop(), provider.close()]);
});

/** Runs the command. `browse` opens the address. Resolves to the output and the text of the last page. */
async function login(
  user: string,
  flags: readonly string[],
  browse: (url: string) => Promise<string> = provider.browse,
): Promise<string> {
  const args = ['login', '--server', server.url, '--certificate-authority', join(folder, 'credentials/ca.crt')];
  const child = spawn(
    process.execPath,
    [
      ...[builtCommand(), ...args, '--kubeconfig', kubeconfig, '--oidc-ca-file', join(folder, 'provider.crt')],
      ...['--oidc-auth-param', `login_hint=${user}`, ...flags],
    ],
    { env: { ...process.env, HOME: folder } },
  );
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk));
  const exit = once(child, 'exit');
  await expect.poll(() => out, { timeout: 60_000 }).toMatch(/(?:machine: |or open )https:\S+\n/);
  const page = await browse(/(?:machine: |or open )(\S+)/.exec(out)?.[1] ?? '');
  const [code] = await exit;
  expect(code, `${out}\n${page}`).toBe(0);
  return `${out}\n${page}`;
}

const asUser = (...args: string[]) => kubectl.runWith({ KUBECONFIG: kubeconfig, HOME: folder }, ...args);
const whoAmI = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}'];

describe.sequential('kindforge login', () => {
  it('logs in with a browser', async () => {
    const text = await login('anna', ['--no-browser']);
    expect(text).toContain(`logged in as ${provider.url}#anna, groups team:anna-team, team:all, system:authenticated`);
    expect(text).toContain('You are logged in. You can close this tab.');
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  });

  it.skipIf(minor < 27)('lets kubectl (1.27 or later) act as the user', async () => {
    expect(printed(await asUser(...whoAmI))).toBe(
      `${provider.url}#anna ["team:anna-team","team:all","system:authenticated"]`,
    );
  });

  it('lets the SDK act as the user', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('HOME', folder);
    const connection = loadKubeconfig({ path: kubeconfig });
    const answer = await connection.fetch(`${server.url}/api/v1/namespaces`);
    expect(answer.status).toBe(200);
    await connection.close();
  });

  it.skipIf(minor < 27)('renews expired tokens only once for two processes of kubectl', async () => {
    const [name = ''] = readdirSync(cache);
    const before: { readonly refreshToken: string } = JSON.parse(readFileSync(join(cache, name), 'utf8'));
    writeFileSync(join(cache, name), JSON.stringify({ ...before, idToken: 'expired' }));
    // The provider accepts each refresh token once, and ends the session if a token comes again.
    const both = await Promise.all([asUser(...whoAmI), asUser(...whoAmI)]);
    for (const ran of both) expect(printed(ran)).toContain(`${provider.url}#anna`);
    expect(JSON.parse(readFileSync(join(cache, name), 'utf8')).refreshToken).not.toBe(before.refreshToken);
    expect(statSync(join(cache, name)).mode & 0o777).toBe(0o600);
  });

  it.skipIf(minor < 27)('logs in with a device code', async () => {
    expect(await login('ben', ['--device-code'])).toContain(`logged in as ${provider.url}#ben`);
    expect(printed(await asUser(...whoAmI))).toContain(`${provider.url}#ben`);
  });

  it.skipIf(!browser)('shows its page in Chromium', async () => {
    const opened = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
    onTestFinished(() => opened.close());
    const page = await opened.newPage({ ignoreHTTPSErrors: true });
    const text = await login('cleo', ['--no-browser'], async (url) => {
      await page.goto(url);
      return page.innerText('body');
    });
    expect(text).toContain(`logged in as ${provider.url}#cleo`);
    expect(text).toContain('You are logged in. You can close this tab.');
    expect(await page.title()).toBe('Kindforge');
  });

  it('names the flag for an authority that is not trusted', async () => {
    const args = ['login', '--server', server.url, '--kubeconfig', join(folder, 'other')];
    const child = spawn(process.execPath, [builtCommand(), ...args], { env: { ...process.env, HOME: folder } });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk));
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(err).toContain('cannot be reached: ');
    expect(err).toContain('→ Give its authority with --certificate-authority FILE');
  });
});
