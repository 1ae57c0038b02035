import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../../server/index.js';

let server: ListeningServer;
let admin: string;
beforeAll(async () => {
  server = await startServer({
    naming: 'kubernetes',
    http: {},
    runtimeConfig: 'authentication.k8s.io/v1beta1=true',
    featureGates: 'APISelfSubjectReview=true',
  });
  const { users } = JSON.parse(server.kubeconfig);
  admin = users[0].user.token;
}, 300_000);
afterAll(() => server.stop());

async function ask(method: string, path: string, body?: object, token = admin) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { code: answer.status, body: await answer.json() };
}

const core = '/api/v1/namespaces/default';
const type = 'kubernetes.io/service-account-token';
const nameKey = 'kubernetes.io/service-account.name';
const uidKey = 'kubernetes.io/service-account.uid';

const makeSecret = (name: string, annotations: object, more: object = {}) =>
  ask('POST', `${core}/secrets`, { metadata: { name, annotations }, type, ...more });
async function makeAccount(name: string): Promise<string> {
  const { body } = await ask('POST', `${core}/serviceaccounts`, { metadata: { name } });
  return body.metadata.uid;
}

const textAt = async (name: string, key: string): Promise<string> => {
  const { body } = await ask('GET', `${core}/secrets/${name}`);
  return Buffer.from(body.data?.[key] ?? '', 'base64').toString();
};

async function tokenOf(name: string): Promise<string> {
  await expect.poll(() => textAt(name, 'token')).not.toBe('');
  return textAt(name, 'token');
}

const whoIs = async (token: string) => {
  const { code, body } = await ask('POST', '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews', {}, token);
  return code === 201 ? body.status.userInfo.username : code;
};

describe('a secret for an account', () => {
  it('gets a token of the account, its namespace, and the uid of the account', async () => {
    const uid = await makeAccount('robot');
    await makeSecret('robot-token', { [nameKey]: 'robot' });
    const token = await tokenOf('robot-token');
    expect(decodeJwt(token)).toEqual({
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:robot',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'robot-token',
      'kubernetes.io/serviceaccount/service-account.name': 'robot',
      'kubernetes.io/serviceaccount/service-account.uid': uid,
    });
    expect(await whoIs(token)).toBe('system:serviceaccount:default:robot');
    expect(await textAt('robot-token', 'namespace')).toBe('default');
    const { body } = await ask('GET', `${core}/secrets/robot-token`);
    expect(body.metadata.annotations).toEqual({ [nameKey]: 'robot', [uidKey]: uid });
    // Without TLS the server has no authority.
    expect(Object.keys(body.data)).toEqual(['namespace', 'token']);
  });

  it('keeps its token, and gets a new one when it is removed', async () => {
    await makeAccount('keeper');
    await makeSecret('keeper-token', { [nameKey]: 'keeper' }, { stringData: { token: 'own', more: 'x' } });
    await expect.poll(() => textAt('keeper-token', 'namespace')).toBe('default');
    expect(await textAt('keeper-token', 'token')).toBe('own');
    await ask('PATCH', `${core}/secrets/keeper-token`, { data: { token: null } });
    expect(await whoIs(await tokenOf('keeper-token'))).toBe('system:serviceaccount:default:keeper');
    expect(await textAt('keeper-token', 'more')).toBe('x');
  });

  it('has the day on which its token was last used, written once a day', async () => {
    const tracking = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
    const since = async () => (await ask('GET', tracking)).body.data?.since;
    await expect.poll(since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await makeAccount('worker');
    await makeSecret('worker-token', { [nameKey]: 'worker' });
    const token = await tokenOf('worker-token');
    const metadata = async () => (await ask('GET', `${core}/secrets/worker-token`)).body.metadata;
    expect((await metadata()).labels).toBeUndefined();
    await whoIs(token);
    const label = 'kubernetes.io/legacy-token-last-used';
    await expect.poll(async () => (await metadata()).labels?.[label]).toBe(await since());
    const { resourceVersion } = await metadata();
    const uses = async (): Promise<number> => {
      const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${admin}` } });
      return Number(/^serviceaccount_legacy_tokens_total (\d+)$/m.exec(await answer.text())?.[1]);
    };
    const before = await uses();
    await whoIs(token);
    await whoIs(token);
    expect(await uses()).toBe(before + 2);
    expect((await metadata()).resourceVersion).toBe(resourceVersion);
    // Use on the day before does not count as use today.
    await ask('PATCH', `${core}/secrets/worker-token`, { metadata: { labels: { [label]: '2024-01-01' } } });
    await whoIs(token);
    await expect.poll(async () => (await metadata()).labels?.[label]).toBe(await since());
    // The day since when use is tracked is repaired if it is deleted or invalid.
    await ask('PATCH', tracking, { data: { since: 'never' } });
    await expect.poll(since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await ask('DELETE', tracking);
    await expect.poll(since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it('is removed with its account, and its token with it', async () => {
    await makeAccount('leaver');
    await makeSecret('leaver-token', { [nameKey]: 'leaver' });
    const token = await tokenOf('leaver-token');
    await ask('DELETE', `${core}/serviceaccounts/leaver`);
    await expect.poll(async () => (await ask('GET', `${core}/secrets/leaver-token`)).code).toBe(404);
    expect(await whoIs(token)).toBe(401);
  });

  it('is removed if the account does not exist, or is another one of this name', async () => {
    const uid = await makeAccount('other');
    await makeSecret('nobody-token', { [nameKey]: 'nobody' });
    await makeSecret('wrong-token', { [nameKey]: 'other', [uidKey]: 'another' });
    await makeSecret('right-token', { [nameKey]: 'other', [uidKey]: uid });
    for (const name of ['nobody-token', 'wrong-token'])
      await expect.poll(async () => (await ask('GET', `${core}/secrets/${name}`)).code).toBe(404);
    await tokenOf('right-token');
  });
});

it('is not managed if it has another type', async () => {
  const made = await ask('POST', `${core}/secrets`, {
    metadata: { name: 'plain', annotations: { [nameKey]: 'nobody' } },
  });
  await makeSecret('marker', { [nameKey]: 'default' });
  await tokenOf('marker');
  const { body } = await ask('GET', `${core}/secrets/plain`);
  expect(body.metadata.resourceVersion).toBe(made.body.metadata.resourceVersion);
});
