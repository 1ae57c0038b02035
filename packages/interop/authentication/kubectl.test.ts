/** kubectl comes with each kind of credentials that a kubeconfig can name, and is turned away once they have ended. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { makeAuthority, type TestAuthority } from '../../../test/support/certificate-authority.js';
import { type Kubectl, kubectlFor, newestKubectl, printed, type Ran } from '../../../test/support/kubectl.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import { type OpenIdProvider, shortLived, startOpenIdProvider } from '../openid-provider.js';

const { program, minor } = newestKubectl();
const folder = scratchFolder();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

let provider: OpenIdProvider;
let authority: TestAuthority;
let own: ListeningServer;
let server: ListeningServer;
let kubectl: Kubectl;
beforeAll(async () => {
  [provider, authority] = [await startOpenIdProvider(), await makeAuthority('CN=clients')];
  const common = {
    naming: 'kubernetes',
    runtimeConfig: 'api/all=true',
    controllers: [],
    tls: {},
    http: false,
  } as const;
  own = await startServer(common);
  server = await startServer({
    ...common,
    authorization: { modes: ['AlwaysAllow'] },
    authentication: {
      anonymous: 'refused',
      clientCaFile: file('clients.crt', authority.cert),
      tokenFile: file('tokens.csv', 'static-token,stan,u1,"devs"\nfrom-a-plugin,petra,u2\n'),
      oidc: { issuerUrl: provider.url, clientId: 'kindforge', caFile: file('provider.crt', provider.ca) },
    },
  });
  kubectl = kubectlFor(server.url, program || 'kubectl');
});
afterAll(async () => {
  kubectl.close();
  await Promise.all([own.stop(), server.stop(), provider.close()]);
});

/** Runs kubectl by a kubeconfig. Its cache is the test's own, and holds no user. */
const runBy = (kubeconfig: string, ...args: readonly string[]): Promise<Ran> =>
  kubectl.runWith({ KUBECONFIG: file('kubeconfig', kubeconfig) }, ...args);

/** A kubeconfig for the server with a user as people write one. */
function kubeconfigOf(user: object): string {
  const { clusters } = JSON.parse(server.kubeconfig);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: clusters[0].cluster }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  });
}

/** Expects that kubectl reads an object, and is the user. */
async function expectUser(kubeconfig: string, user: string): Promise<void> {
  expect(printed(await runBy(kubeconfig, 'get', 'namespace', 'default', '-o', 'name'))).toBe('namespace/default\n');
  // Older releases do not ask.
  if (minor < 28) return;
  const name = ['-o', 'jsonpath={.status.userInfo.username}'];
  expect(printed(await runBy(kubeconfig, 'auth', 'whoami', ...name))).toBe(user);
}

/** Expects that the server knows nobody by these credentials. */
async function expectRefused(kubeconfig: string): Promise<void> {
  const { code, out, err } = await runBy(kubeconfig, 'get', 'namespace', 'default', '-o', 'name');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/You must be logged in to the server|Unauthorized/);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const certificateUser = ({ cert, key }: { readonly cert: string; readonly key: string }): string =>
  kubeconfigOf({ 'client-certificate-data': base64(cert), 'client-key-data': base64(key) });

/** A user whose credentials a program prints, as `status` of an `ExecCredential`. */
function pluginUser(name: string, status: object): string {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const answer = file(`${name}.json`, JSON.stringify({ apiVersion, kind: 'ExecCredential', status }));
  const command = file(`${name}.sh`, `#!/bin/sh\ncat '${answer}'\n`);
  chmodSync(command, 0o700);
  return kubeconfigOf({ exec: { apiVersion, command, interactiveMode: 'Never', provideClusterInfo: true } });
}

describe.skipIf(program === '')('kubectl (skipped where it is not installed)', () => {
  describe('by a client certificate', () => {
    it('of the kubeconfig that the server prints', async () => {
      expect(Object.keys(JSON.parse(own.kubeconfig).users[0].user)).toEqual([
        'client-certificate-data',
        'client-key-data',
      ]);
      await expectUser(own.kubeconfig, 'system:admin');
    });

    it('of an authority that the server is told of', async () => {
      await expectUser(certificateUser(await authority.issue({ subject: 'CN=anna', purposes: ['client'] })), 'anna');
    });

    it('that has expired, it is refused', async () => {
      await expectRefused(
        certificateUser(await authority.issue({ subject: 'CN=anna', until: new Date('2021-01-01') })),
      );
    });

    it('of a server that is gone, it is refused', async () => {
      const { users } = JSON.parse(own.kubeconfig);
      await expectRefused(kubeconfigOf(users[0].user));
    });
  });

  describe('by a token', () => {
    it('of the file of tokens', () => expectUser(kubeconfigOf({ token: 'static-token' }), 'stan'));

    it('of a file beside the kubeconfig', () =>
      expectUser(kubeconfigOf({ tokenFile: file('token', 'static-token\n') }), 'stan'));

    it('that nobody knows, it is refused', () => expectRefused(kubeconfigOf({ token: 'static-token-of-before' })));
  });

  describe('by a plugin', () => {
    it('that prints a token', () => expectUser(pluginUser('token', { token: 'from-a-plugin' }), 'petra'));

    it('that prints a certificate', async () => {
      const { cert, key } = await authority.issue({ subject: 'CN=paul', purposes: ['client'] });
      const status = { clientCertificateData: cert, clientKeyData: key };
      await expectUser(pluginUser('certificate', status), 'paul');
    });

    it('that prints a token that has ended, it is refused', async () => {
      const expirationTimestamp = new Date(Date.now() - 1000).toISOString();
      await expectRefused(pluginUser('ended', { token: 'of-before', expirationTimestamp }));
    });

    it('that prints a certificate that has ended, it is refused', async () => {
      const { cert, key } = await authority.issue({ subject: 'CN=paul', until: new Date('2021-01-01') });
      const status = { clientCertificateData: cert, clientKeyData: key };
      await expectRefused(pluginUser('ended-certificate', status));
    });
  });

  describe('by a token of a provider of identities', () => {
    const providerUser = (token: string): string =>
      kubeconfigOf({
        'auth-provider': {
          name: 'oidc',
          config: {
            'client-id': 'kindforge',
            'id-token': token,
            'idp-issuer-url': provider.url,
            'idp-certificate-authority': join(folder, 'provider.crt'),
          },
        },
      });

    it('in the kubeconfig', async () => {
      const token = await provider.login('olga');
      await expectUser(kubeconfigOf({ token }), `${provider.url}#olga`);
      await expectUser(providerUser(token), `${provider.url}#olga`);
    });

    it('that a plugin prints', async () => {
      const kubeconfig = pluginUser('login', { token: await provider.login('olga') });
      await expectUser(kubeconfig, `${provider.url}#olga`);
    });

    it('that has expired, it is refused', async () => {
      const token = await provider.login(shortLived);
      const codeOf = async (): Promise<number> => (await runBy(kubeconfigOf({ token }), 'get', 'namespaces')).code;
      await expect.poll(codeOf, { timeout: 30_000 }).toBe(1);
      await expectRefused(kubeconfigOf({ token }));
    });
  });
});
