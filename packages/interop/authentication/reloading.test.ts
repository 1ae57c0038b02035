/**
 * The server reads files of authorities and keys for authentication again when they change. Broken files change
 * nothing.
 */
import { request } from 'node:https';
import { afterEach, expect, it } from 'vitest';
import { defineAuthority, type KeyPair } from '../../../plugins/index.js';
import { type AuthenticationOptions, type ListeningServer, startServer } from '../../../server/index.js';
import { makeServerCertificate } from '../../../test/support/certificates.js';
import { filesIn, testFolder } from '../../../test/support/scratch-folder.js';
import { reviewed, startTokenWebhook } from '../../../test/support/token-webhook.js';
import { startOpenIdProvider } from '../openid-provider.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const patient = { timeout: 60_000, interval: 200 };

interface Started {
  readonly server: ListeningServer;
  readonly problems: readonly string[];
}

async function start(authentication: AuthenticationOptions): Promise<Started> {
  const problems: string[] = [];
  const server = await startServer({
    naming: 'kubernetes',
    runtimeConfig: 'api/all=true',
    controllers: [],
    tls: {},
    authorization: { modes: ['AlwaysAllow'] },
    authentication,
    onProblem: (problem) => void problems.push(problem),
  });
  endings.push(() => server.stop());
  return { server, problems };
}

/** Resolves to the user of a request, or to the code if the server refuses it. */
const userOf = (
  { server: { url } }: Started,
  headers: Readonly<Record<string, string>>,
  shown?: KeyPair,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const call = request(
      `${url}/apis/authentication.k8s.io/v1beta1/selfsubjectreviews`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        rejectUnauthorized: false,
        // A certificate is verified when a connection begins.
        agent: false,
        ...shown,
      },
      async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve(answer.statusCode === 201 ? JSON.parse(text).status.userInfo.username : answer.statusCode);
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview' }));
  });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

it('reads the authorities of an identity provider again', async () => {
  const write = filesIn(testFolder());
  const provider = await startOpenIdProvider();
  endings.push(() => provider.close());
  const caFile = write('ca.pem', (await makeServerCertificate()).cert);
  const started = await start({ oidc: { issuerUrl: provider.url, clientId: 'kindforge', caFile } });
  const token = await provider.login('anna');
  const user = () => userOf(started, bearer(token));
  expect(await user()).toBe(401);
  write('ca.pem', 'nothing');
  await expect
    .poll(() => started.problems.at(-1), patient)
    .toMatch(/^what was read before stays in use: .*oidc\.caFile/);
  expect(await user()).toBe(401);
  write('ca.pem', provider.ca);
  await expect.poll(user, patient).toBe(`${provider.url}#anna`);
});

it('reads the file about a token webhook again, and the files that it names', async () => {
  const write = filesIn(testFolder());
  const [first, second] = [await startTokenWebhook(), await startTokenWebhook()];
  endings.push(first.close, second.close);
  first.answer = (review) => reviewed(review, { authenticated: true, user: { username: 'first' } });
  second.answer = (review) => reviewed(review, { authenticated: true, user: { username: 'second' } });
  const named = (webhook: typeof first, authority: string): string =>
    webhook.configFile().replace(/"certificate-authority-data":"[^"]*"/, `"certificate-authority":"${authority}"`);
  write('ca.pem', second.ca);
  const configFile = write('config', named(first, 'ca.pem'));
  const started = await start({ tokenWebhook: { configFile, cacheTtlMs: 0 } });
  const user = () => userOf(started, bearer('token'));
  expect(await user()).toBe(401);
  write('ca.pem', first.ca);
  await expect.poll(user, patient).toBe('first');
  write('config', 'nothing');
  // Calls the webhook, so that the server checks the file.
  const problem = async () => [await user(), started.problems.at(-1) ?? ''].join(': ');
  await expect.poll(problem, patient).toMatch(/^first: what was read before stays in use: .*configFile/);
  write('other.pem', second.ca);
  write('config', named(second, 'other.pem'));
  await expect.poll(user, patient).toBe('second');
  // The server now checks the new file, too.
  write('other.pem', first.ca);
  await expect.poll(user, patient).toBe(401);
});

it('reads the authorities of proxies again', async () => {
  const write = filesIn(testFolder());
  const [one, other] = ['one', 'other'].map((name) => defineAuthority({ secret: undefined, name, now: Date.now() }));
  const clientCaFile = write('ca.pem', one?.certificate ?? '');
  const started = await start({ requestHeader: { clientCaFile, usernameHeaders: ['X-User'] } });
  const hourMs = 3_600_000;
  const shown = other?.issue({
    subject: { commonName: 'front', organizations: [] },
    notBefore: new Date(Date.now() - hourMs),
    notAfter: new Date(Date.now() + hourMs),
    use: 'client',
  });
  const user = () => userOf(started, { 'x-user': 'anna' }, shown);
  expect(await user()).toBe(401);
  write('ca.pem', other?.certificate ?? '');
  await expect.poll(user, patient).toBe('anna');
});
