/** The SDK signs in with each kind of credentials that a kubeconfig, a pod or a program can have, and renews them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProcessTransport } from '../../../client/in-process.js';
import { tokenFileIdentity } from '../../../client/node/loaded.js';
import {
  type ClientConnection,
  type ClientOptions,
  dynamicClient,
  isForbidden,
  isUnauthorized,
  loadInCluster,
  loadKubeconfig,
  openConnection,
} from '../../../client/node.js';
import { type ListeningServer, startServer } from '../../../server/index.js';
import { makeAuthority, type TestAuthority } from '../../../test/support/certificate-authority.js';
import { filesIn, scratchFolder } from '../../../test/support/scratch-folder.js';
import { rejection } from '../../../test/support/sdk.js';
import { type OpenIdProvider, client as oidcClient, shortLived, startOpenIdProvider } from '../openid-provider.js';

const folder = scratchFolder();
const file = filesIn(folder);

let provider: OpenIdProvider;
let authority: TestAuthority;
let server: ListeningServer;
beforeAll(async () => {
  [provider, authority] = [await startOpenIdProvider(), await makeAuthority('CN=clients')];
  server = await startServer({
    ...{ naming: 'kubernetes', runtimeConfig: 'api/all=true', controllers: [], tls: {}, http: { port: 'auto' } },
    storage: 'memory',
    authentication: {
      anonymous: 'refused',
      clientCaFile: file('clients.crt', authority.cert),
      tokenFile: file('tokens.csv', 'one,anna,u1\ntwo,berta,u2\nroot,root,u3,"system:masters"\n'),
      oidc: { issuerUrl: provider.url, clientId: oidcClient.id, caFile: file('provider.crt', provider.ca) },
    },
  });
  const { clusters } = JSON.parse(server.kubeconfig);
  file('ca.crt', Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString());
});
afterAll(async () => {
  await Promise.all([server.stop(), provider.close()]);
});

/** Resolves to the user that the server sees. */
async function whoIs(options: ClientOptions): Promise<unknown> {
  const review = { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview', metadata: {} };
  const reviews = await dynamicClient(options).resource({
    group: 'authentication.k8s.io',
    plural: 'selfsubjectreviews',
  });
  const { status } = await reviews.create(review);
  return typeof status === 'object' && status && 'userInfo' in status ? status.userInfo : status;
}

const named = (username: string): unknown => expect.objectContaining({ username });

let written = 0;
function kubeconfig(user: object): string {
  const cluster = { server: server.url, 'certificate-authority': 'ca.crt' };
  return file(
    `config-${++written}`,
    dump({
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'dev' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
    }),
  );
}

const loadedAs = (user: object): ClientConnection => loadKubeconfig({ path: kubeconfig(user) });

describe('a client certificate', () => {
  it('is in the kubeconfig, or in files that the SDK reads again', async () => {
    const { cert, key } = await authority.issue({ subject: 'CN=carl', purposes: ['client'] });
    const [certFile, keyFile] = [file('carl.crt', cert), file('carl.key', key)];
    expect(
      await whoIs({ kubeconfig: loadedAs({ 'client-certificate': 'carl.crt', 'client-key': 'carl.key' }) }),
    ).toEqual(named('carl'));
    const given = { ca: { path: join(folder, 'ca.crt') }, certificate: { pem: cert }, key: { pem: key } };
    expect(await whoIs({ kubeconfig: openConnection({ baseUrl: server.url, ...given }) })).toEqual(named('carl'));
    expect(readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8')).toBe(cert + key);
  });
});

describe('a token', () => {
  it('comes from a function, which is called once more after a refusal', async () => {
    const asked: (string | undefined)[] = [];
    const tokens = ['spoiled', 'one'];
    const token = (refused?: string): string => {
      asked.push(refused);
      return tokens[refused === undefined && asked.length > 2 ? 1 : refused === undefined ? 0 : 1] ?? '';
    };
    const baseUrl = server.plainUrl ?? '';
    expect(await whoIs({ baseUrl, token })).toEqual(named('anna'));
    expect(asked.slice(0, 2)).toContain(undefined);
    expect(asked).toContain('spoiled');
    expect(isUnauthorized(await rejection(whoIs({ baseUrl, token: () => 'wrong' })))).toBe(true);
  });

  it('from a file is read again after a refusal, and when it is old', async () => {
    const path = file('token', 'one\n');
    const options = { kubeconfig: loadedAs({ tokenFile: 'token' }) };
    expect(await whoIs(options)).toEqual(named('anna'));
    file('token', 'spoiled');
    const identity = tokenFileIdentity(path, 0);
    expect((await identity()).headers.authorization).toBe('Bearer spoiled');
    file('token', 'two');
    expect((await identity()).headers.authorization).toBe('Bearer two');
    const spoiled = loadedAs({ tokenFile: file('spoiled', 'spoiled') });
    file('spoiled', 'two');
    expect(await whoIs({ kubeconfig: spoiled })).toEqual(named('berta'));
  });

  it('of a pod leads to the server of its cluster', async () => {
    const { hostname, port } = new URL(server.url);
    file('token', 'one');
    file('namespace', 'shop\n');
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const pod = loadInCluster({ folder, environment });
    expect(pod.namespace).toBe('shop');
    expect(await whoIs({ kubeconfig: pod })).toEqual(named('anna'));
    expect(() => loadInCluster({ folder, environment: {} })).toThrow('KUBERNETES_SERVICE_HOST is not set');
  });
});

/** Returns a plugin that prints the content of a file, and records its input. */
const plugin = (answer: object, more: object = {}): object => {
  const id = ++written;
  // A shell starts ten times faster than Node.
  const script = file(
    `plugin-${id}.sh`,
    `printf '%s\\n' "$KUBERNETES_EXEC_INFO" >> '${join(folder, `runs-${id}`)}'
     printf '%s' "$WORDS" >&2
     if [ -n "$CODE" ]; then exit "$CODE"; fi
     cat '${join(folder, `answer-${id}`)}'`,
  );
  file(`answer-${id}`, JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status: {}, ...answer }));
  return {
    exec: { apiVersion: version, command: '/bin/sh', args: [script], interactiveMode: 'Never', ...more },
  };
};
const version = 'client.authentication.k8s.io/v1';
const runsOf = (id = written): string[] =>
  readFileSync(join(folder, `runs-${id}`), 'utf8')
    .trim()
    .split('\n');
const answered = (status: object, id = written): string =>
  file(`answer-${id}`, JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status }));

describe('an exec plugin', () => {
  it('runs once for simultaneous requests, and gets the facts of the cluster', async () => {
    const user = plugin({ status: { token: 'one' } }, { provideClusterInfo: true, env: [{ name: 'A', value: 'b' }] });
    const id = written;
    const options = { kubeconfig: loadedAs(user) };
    expect(await Promise.all([whoIs(options), whoIs(options)])).toEqual([named('anna'), named('anna')]);
    const runs = runsOf(id);
    expect(runs).toHaveLength(1);
    expect(JSON.parse(runs[0] ?? '')).toEqual({
      ...{ apiVersion: version, kind: 'ExecCredential' },
      spec: { interactive: false, cluster: expect.objectContaining({ server: server.url }) },
    });
  });

  it('runs again when its token is refused, and when the token expires', async () => {
    const user = plugin({ status: { token: 'spoiled' } });
    const id = written;
    const options = { kubeconfig: loadedAs(user) };
    expect(isUnauthorized(await rejection(whoIs(options)))).toBe(true);
    answered({ token: 'two', expirationTimestamp: new Date(Date.now() - 1000).toISOString() }, id);
    expect(await whoIs(options)).toEqual(named('berta'));
    answered({ token: 'one', expirationTimestamp: new Date(Date.now() + 3600_000).toISOString() }, id);
    expect(await whoIs(options)).toEqual(named('anna'));
    const runs = runsOf(id).length;
    await whoIs(options);
    expect(runsOf(id)).toHaveLength(runs);
  });

  it('may print a certificate', async () => {
    const { cert, key } = await authority.issue({ subject: 'CN=dora', purposes: ['client'] });
    const user = plugin({ status: { clientCertificateData: cert, clientKeyData: key } });
    const id = written;
    const options = { kubeconfig: loadedAs(user) };
    expect(await whoIs(options)).toEqual(named('dora'));
    expect(runsOf(id)).toHaveLength(1);
  });

  it.each([
    [
      'fails',
      {
        env: [
          { name: 'CODE', value: '3' },
          { name: 'WORDS', value: 'no login' },
        ],
      },
      {},
      /ended with 3: no login$/,
    ],
    ['is not there', { command: 'no-such-plugin', installHint: 'get it' }, {}, /cannot be started: .*ENOENT: get it$/],
    ['has nobody to ask', { interactiveMode: 'Always' }, {}, /needs a terminal/],
    [
      'prints another version',
      {},
      { apiVersion: 'client.authentication.k8s.io/v1beta1' },
      /printed no ExecCredential of/,
    ],
    ['prints nothing of use', {}, {}, /printed neither a token nor a certificate$/],
    [
      'prints half a pair',
      {},
      { status: { clientCertificateData: 'x' } },
      /printed a certificate without a key, or a key without a certificate$/,
    ],
  ])('is named in the error if it %s', async (_what, more, answer, message) => {
    const error = await rejection(whoIs({ kubeconfig: loadedAs(plugin(answer, more)) }));
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(error).toMatchObject({ message: expect.stringContaining('the exec plugin of user "u"') });
  });

  it('does not delay a caller that aborts the request', async () => {
    const options = { kubeconfig: loadedAs(plugin({ status: { token: 'one' } })) };
    const error = await rejection(dynamicClient(options).kinds({ signal: AbortSignal.abort(new Error('enough')) }));
    expect(error).toMatchObject({ message: 'enough' });
  });
});

describe('an OpenID provider', () => {
  const user = (tokens: object, more: object = {}): object => ({
    'auth-provider': {
      name: 'oidc',
      config: {
        ...{ 'client-id': oidcClient.id, 'client-secret': oidcClient.secret, 'idp-issuer-url': provider.url },
        ...{ 'idp-certificate-authority': 'provider.crt', ...tokens, ...more },
      },
    },
  });
  const kept = (path: string): Record<string, string> => {
    const config = load(readFileSync(path, 'utf8')) as { users: { user: { 'auth-provider': { config: never } } }[] };
    return config.users[0]?.user['auth-provider'].config ?? {};
  };

  it('is not asked while the ID token is valid', async () => {
    const { idToken } = await provider.loginForLong('emil');
    expect(await whoIs({ kubeconfig: loadedAs(user({ 'id-token': idToken })) })).toEqual(named(`${provider.url}#emil`));
  });

  it('gives a new ID token for the refresh token, and the SDK writes both into the kubeconfig', async () => {
    const { refreshToken } = await provider.loginForLong('fritz');
    const path = kubeconfig(user({ 'id-token': 'ended', 'refresh-token': refreshToken }));
    expect(await whoIs({ kubeconfig: loadKubeconfig({ path }) })).toEqual(named(`${provider.url}#fritz`));
    expect(kept(path)['id-token']).not.toBe('ended');
    expect(kept(path)['refresh-token']).not.toBe(refreshToken);
    // The first refresh token is used up: another process works with the tokens that the first one has saved.
    expect(await whoIs({ kubeconfig: loadKubeconfig({ path }) })).toEqual(named(`${provider.url}#fritz`));
  });

  it('is named in the error if it refuses', async () => {
    const refused = loadedAs(user({ 'refresh-token': 'wrong' }));
    expect(await rejection(whoIs({ kubeconfig: refused }))).toMatchObject({
      message: expect.stringMatching(/the provider of user "u", gives no new ID token: .*grant/),
    });
    const { idToken } = await provider.loginForLong(shortLived);
    expect(await rejection(whoIs({ kubeconfig: loadedAs(user({ 'id-token': idToken })) }))).toMatchObject({
      message: expect.stringContaining('refresh-token is not set'),
    });
    const distrusted = loadedAs(user({ 'refresh-token': 'x' }, { 'idp-certificate-authority': 'clients.crt' }));
    expect(await rejection(whoIs({ kubeconfig: distrusted }))).toMatchObject({
      message: expect.stringMatching(/certificate/),
    });
  });
});

describe('impersonation', () => {
  const jane = {
    user: 'jäne',
    uid: 'u-7',
    groups: ['dev', 'ops,all'],
    extra: { 'example.com/Team': ['a', 'b'] },
  };
  const seen = {
    ...{ username: 'jäne', uid: 'u-7', groups: ['dev', 'ops,all', 'system:authenticated'] },
    extra: { 'example.com/team': ['a', 'b'] },
  };

  it('makes requests as another user, with all groups, over each transport', async () => {
    const options = { kubeconfig: loadedAs({ token: 'root' }) };
    expect(await whoIs({ ...options, impersonate: jane })).toEqual(seen);
    const transport = inProcessTransport(server.handle, { authorization: 'Bearer root' });
    expect(await whoIs({ transport, impersonate: jane })).toEqual(seen);
    const http2 = loadKubeconfig({ path: kubeconfig({ token: 'root' }), http2: true });
    expect(await whoIs({ kubeconfig: http2, impersonate: jane })).toEqual(seen);
    await http2.close();
  });

  it('may be set in a kubeconfig, too', async () => {
    const user = { token: 'root', as: 'kim', 'as-groups': ['dev', 'ops'] };
    expect(await whoIs({ kubeconfig: loadedAs(user) })).toEqual({
      username: 'kim',
      groups: ['dev', 'ops', 'system:authenticated'],
    });
    expect(await whoIs({ kubeconfig: loadedAs(user), impersonate: { user: 'lea' } })).toEqual(named('lea'));
  });

  it('is refused to users without the right, and by transports that cannot send it', async () => {
    const options = { kubeconfig: loadedAs({ token: 'one' }), impersonate: { user: 'kim' } };
    expect(isForbidden(await rejection(whoIs(options)))).toBe(true);
    const many = { baseUrl: 'http://127.0.0.1:1', impersonate: jane };
    expect(await rejection(whoIs(many))).toMatchObject({ message: expect.stringContaining('several values') });
  });
});
