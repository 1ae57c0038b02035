/** kubectl uses each kind of credentials that a kubeconfig can have, and is refused once they have expired. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { makeAuthority, type TestAuthority } from '../../../test/support/certificate-authority.js';
import { type Kubectl, kubectlFor, newestKubectl, printed, type Ran } from '../../../test/support/kubectl.js';
import { filesIn, scratchFolder } from '../../../test/support/scratch-folder.js';
import { kubeconfigFor } from '../../../test/support/write-kubeconfig.js';
import { type OpenIdProvider, shortLived, startOpenIdProvider } from '../openid-provider.js';

const { program, minor } = newestKubectl();
const folder = scratchFolder();
const file = filesIn(folder);

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

/** Runs kubectl with a kubeconfig. Its cache belongs to the test, and has no users. */
const runBy = (kubeconfig: string, ...args: readonly string[]): Promise<Ran> =>
  kubectl.runWith({ KUBECONFIG: file('kubeconfig', kubeconfig) }, ...args);

/** Returns a kubeconfig for the server, with a user in the form that people write. */
function kubeconfigOf(user: object): string {
  const { clusters } = JSON.parse(server.kubeconfig);
  return kubeconfigFor(server.url, user, clusters[0].cluster);
}

/** Expects that kubectl reads an object, and is the user. */
async function expectUser(kubeconfig: string, user: string): Promise<void> {
  expect(printed(await runBy(kubeconfig, 'get', 'namespace', 'default', '-o', 'name'))).toBe('namespace/default\n');
  // Older releases do not have this command.
  if (minor < 28) return;
  const name = ['-o', 'jsonpath={.status.userInfo.username}'];
  expect(printed(await runBy(kubeconfig, 'auth', 'whoami', ...name))).toBe(user);
}

/** Expects that the server refuses these credentials. */
async function expectRefused(kubeconfig: string): Promise<void> {
  const { code, out, err } = await runBy(kubeconfig, 'get', 'namespace', 'default', '-o', 'name');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/You must be logged in to the server|Unauthorized/);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const certificateUser = ({ cert, key }: { readonly cert: string; readonly key: string }): string =>
  kubeconfigOf({ 'client-certificate-data': base64(cert), 'client-key-data': base64(key) });

/** Returns a user with a program that prints the credentials, as `status` of an `ExecCredential`. */
function pluginUser(name: string, status: object): string {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const answer = file(`${name}.json`, JSON.stringify({ apiVersion, kind: 'ExecCredential', status }));
  const command = file(`${name}.sh`, `#!/bin/sh\ncat '${answer}'\n`);
  chmodSync(command, 0o700);
  return kubeconfigOf({ exec: { apiVersion, command, interactiveMode: 'Never', provideClusterInfo: true } });
}

describe.skipIf(program === '')('kubectl (skipped if it is not installed)', () => {
  describe('a client certificate', () => {
    it('from the kubeconfig of the server is accepted', async () => {
      expect(Object.keys(JSON.parse(own.kubeconfig).users[0].user)).toEqual([
        'client-certificate-data',
        'client-key-data',
      ]);
      await expectUser(own.kubeconfig, 'system:admin');
    });

    it('from a configured authority is accepted', async () => {
      await expectUser(certificateUser(await authority.issue({ subject: 'CN=anna', purposes: ['client'] })), 'anna');
    });

    it('is refused once it has expired', async () => {
      await expectRefused(
        certificateUser(await authority.issue({ subject: 'CN=anna', until: new Date('2021-01-01') })),
      );
    });

    it('from a deleted server is refused', async () => {
      const { users } = JSON.parse(own.kubeconfig);
      await expectRefused(kubeconfigOf(users[0].user));
    });
  });

  describe('a token', () => {
    it('from the file of tokens is accepted', () => expectUser(kubeconfigOf({ token: 'static-token' }), 'stan'));

    it('from a file beside the kubeconfig is accepted', () =>
      expectUser(kubeconfigOf({ tokenFile: file('token', 'static-token\n') }), 'stan'));

    it('is refused if it is unknown', () => expectRefused(kubeconfigOf({ token: 'static-token-of-before' })));
  });

  describe('a plugin', () => {
    it('may print a token', () => expectUser(pluginUser('token', { token: 'from-a-plugin' }), 'petra'));

    it('may print a certificate', async () => {
      const { cert, key } = await authority.issue({ subject: 'CN=paul', purposes: ['client'] });
      const status = { clientCertificateData: cert, clientKeyData: key };
      await expectUser(pluginUser('certificate', status), 'paul');
    });

    it('is refused with an expired token', async () => {
      const expirationTimestamp = new Date(Date.now() - 1000).toISOString();
      await expectRefused(pluginUser('ended', { token: 'of-before', expirationTimestamp }));
    });

    it('is refused with an expired certificate', async () => {
      const { cert, key } = await authority.issue({ subject: 'CN=paul', until: new Date('2021-01-01') });
      const status = { clientCertificateData: cert, clientKeyData: key };
      await expectRefused(pluginUser('ended-certificate', status));
    });
  });

  describe('a token of an identity provider', () => {
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

    it('is accepted in the kubeconfig', async () => {
      const token = await provider.login('olga');
      await expectUser(kubeconfigOf({ token }), `${provider.url}#olga`);
      await expectUser(providerUser(token), `${provider.url}#olga`);
    });

    it('is accepted from a plugin', async () => {
      const kubeconfig = pluginUser('login', { token: await provider.login('olga') });
      await expectUser(kubeconfig, `${provider.url}#olga`);
    });

    it('is refused once it has expired', async () => {
      const token = await provider.login(shortLived);
      const codeOf = async (): Promise<number> => (await runBy(kubeconfigOf({ token }), 'get', 'namespaces')).code;
      await expect.poll(codeOf, { timeout: 30_000 }).toBe(1);
      await expectRefused(kubeconfigOf({ token }));
    });
  });
});
