import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServeFlags } from '../../../../bin/flags/serve/index.js';
import { browserCommand, logIn, printCredential } from '../../../../bin/login/run-login.js';
import type { LoginFlags } from '../../../../bin/login/settings.js';
import { reportFailure } from '../../../../bin/objects/failure.js';
import { type LoginBench, startLogin, usualLoginFlags } from '../../../support/login.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../../../support/serving.js';

const folder = scratchFolder();
const home = process.env.HOME;
let bench: LoginBench;
let server: ListeningServer | undefined;
let claims: Readonly<Record<string, unknown>> = {};
beforeAll(async () => {
  process.env.HOME = join(folder, 'home');
  bench = await startLogin({ claims: () => claims });
  writeFileSync(join(folder, 'ca.pem'), bench.ca);
});
afterEach(async () => {
  claims = {};
  await server?.stop();
  server = undefined;
});
afterAll(async () => {
  process.env.HOME = home;
  await bench.close();
});

/** Starts a server that trusts the provider, and logs in there. Returns the printed lines. */
async function login(serve: Partial<ServeFlags>, flags: Partial<LoginFlags> = {}): Promise<readonly string[]> {
  const trust = { oidcIssuerUrl: bench.provider.url, oidcClientId: 'shop', oidcCaFile: join(folder, 'ca.pem') };
  server = await startServing({ ...trust, anonymousAuth: 'false', ...serve });
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line.replaceAll(bench.provider.url, 'PROVIDER'));
  const all = { ...usualLoginFlags, server: server.url, oidcCaFile: join(folder, 'ca.pem'), ...flags };
  const kubeconfig = join(folder, `kubeconfig-${Math.random()}`);
  try {
    await logIn({ ...all, kubeconfig }, { out: print, error: print }, bench.people, ['kindforge']);
  } catch (error) {
    for (const line of reportFailure(error).lines) print(line);
  }
  return printed;
}

describe('kindforge login', () => {
  it('needs no flags about the provider if the server names it, and prints the user that the server sees', async () => {
    const printed = await login({ oidcGroupsClaim: 'groups', oidcGroupsPrefix: 'id:', runtimeConfig: '' });
    expect(printed).toEqual([
      expect.stringMatching(/^wrote the context oidc@127-0-0-1-\d+ to /),
      'kubectl sends tokens over TLS only; give it the HTTPS address',
      'logged in as PROVIDER#anna, groups id:everybody, id:anna-team, system:authenticated',
    ]);
  });

  it.each<'kubernetes' | 'platform'>(['kubernetes', 'platform'])(
    'asks the server itself under %s names',
    async (naming) => {
      const printed = await login({ naming, runtimeConfig: 'api/all=true', oidcUsernameClaim: 'email' });
      expect(printed.at(-1)).toBe('logged in as anna@example.com, groups system:authenticated');
    },
  );

  it.each<[string, Partial<ServeFlags>, Partial<LoginFlags>, Readonly<Record<string, unknown>>, string]>([
    ['the audience', {}, { oidcClientId: 'web' }, {}, 'its claim "aud" is "web", and the server wants "shop"'],
    [
      'the address',
      { oidcUsernameClaim: 'email' },
      {},
      { email_verified: false },
      'its claim "email_verified" is false',
    ],
    ['the name', { oidcUsernameClaim: 'upn' }, {}, {}, 'its claim "upn" is missing'],
    ['a required claim', { oidcRequiredClaim: ['tenant=one'] }, {}, {}, 'its claim "tenant" is missing'],
    ['the algorithm', { oidcSigningAlgs: 'ES256' }, {}, {}, 'it is signed by RS256, and the server wants ES256'],
    ['its provider', { oidcCaFile: undefined }, {}, {}, 'its claims do not show why'],
  ])('reports that the server refuses the token for %s', async (_name, serve, flags, more, problem) => {
    claims = more;
    const printed = await login(serve, flags);
    expect(printed.join('\n')).toContain(`kindforge: the server ${server?.url} refuses the ID token`);
    expect(printed.join('\n')).toContain(problem);
    expect(printed.at(-1)).toMatch(/^ {2}→ /);
  });

  it('reports that the server trusts no provider', async () => {
    const without = { oidcIssuerUrl: undefined, oidcClientId: undefined, oidcCaFile: undefined };
    const flags = { oidcIssuerUrl: bench.provider.url, oidcClientId: 'shop' };
    expect(await login(without, flags)).toContainEqual(expect.stringContaining('it trusts no identity provider'));
    await server?.stop();
    expect(await login(without)).toEqual([
      'kindforge: --oidc-issuer-url is not given, and the server does not publish it',
      '  → Give --oidc-issuer-url and --oidc-client-id, the same as for kindforge serve or in its --authentication-config',
    ]);
  });

  it('reports that no server answers', async () => {
    const printed = await login({}, { server: 'https://127.0.0.1:1' });
    expect(printed[0]).toContain('kindforge: the server https://127.0.0.1:1 cannot be reached: bad port');
  });
});

it('prints a credential for kubectl', async () => {
  const printed: string[] = [];
  const provider = { oidcIssuerUrl: bench.provider.url, oidcClientId: 'shop', oidcCaFile: join(folder, 'ca.pem') };
  await printCredential({ ...usualLoginFlags, ...provider }, { out: (line) => printed.push(line) }, bench.people);
  const { status, ...others } = JSON.parse(printed.join(''));
  expect(others).toEqual({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' });
  expect(status.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(Date.parse(status.expirationTimestamp) - Date.now()).toBeGreaterThan(200_000);
});

it('opens the browser of $BROWSER, or the usual one of the desktop', () => {
  expect(browserCommand('linux', { BROWSER: 'firefox  --new-tab' })).toEqual(['firefox', '--new-tab']);
  expect(browserCommand('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
  expect(browserCommand('linux', {})).toEqual([]);
  expect(browserCommand('darwin', {})).toEqual(['open']);
  expect(browserCommand('win32', {})[0]).toBe('rundll32');
});
