/** A server behind the aggregation layer of a cluster. Here, another server is the cluster. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ListeningServer, startServer } from '../../server/index.js';
import {
  type BehindCall,
  callBehind,
  startBehind,
  startCluster,
  type TestCluster,
  trustData,
  trustMap,
} from '../support/behind-cluster.js';
import { type IssuedPair, makeAuthority, type TestAuthority } from '../support/certificate-authority.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { kubeconfigFor } from '../support/write-kubeconfig.js';

const folder = scratchFolder();
const widgets = '/apis/shop.example.com/v1/namespaces/default/widgets';
const door = { apiVersion: 'shop.example.com/v1', kind: 'Widget', metadata: { name: 'door' }, spec: { size: 'large' } };

let proxies: TestAuthority;
let clients: TestAuthority;
let proxy: IssuedPair;
let cluster: TestCluster;
let kubeconfig: string;
let behind: ListeningServer;
let call: ReturnType<typeof callBehind>;

const proxyNamed = (by: TestAuthority, name: string, until?: Date): Promise<IssuedPair> =>
  by.issue({ subject: `CN=${name}`, purposes: ['client'], ...(until ? { from: new Date('2021-01-01'), until } : {}) });

/** Returns a request that the proxy of the cluster makes for a user. */
const as = (user: string, more: BehindCall = {}, ...groups: string[]): BehindCall => ({
  pair: proxy,
  ...more,
  headers: { 'x-remote-user': user, ...(groups.length > 0 ? { 'x-remote-group': groups } : {}), ...more.headers },
});

const readJson = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'));
const userOf = (file: string): unknown => (readJson(file).users as readonly { readonly name: string }[])[0]?.name;

const reviews = (plural: string): number => cluster.requests.filter(({ target }) => target.includes(plural)).length;

beforeAll(async () => {
  [proxies, clients] = await Promise.all([makeAuthority('CN=front-proxy-ca'), makeAuthority('CN=client-ca')]);
  proxy = await proxyNamed(proxies, 'front-proxy-client');
  cluster = await startCluster(folder, { proxies, clients });
  kubeconfig = await cluster.kubeconfigOf('shop', 'shop');
  await cluster.send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    metadata: { name: 'editors' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'shop:edit' },
    subjects: [
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' },
      { kind: 'ServiceAccount', namespace: 'default', name: 'robot' },
    ],
  });
  await cluster.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'viewers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'shop:view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'viewers' }],
  });
  behind = await startBehind(cluster, kubeconfig);
  call = callBehind(behind.url, cluster.manifests);
}, 120_000);

afterAll(async () => {
  await behind?.stop();
  await cluster?.server.stop();
});

describe('the user of a request', () => {
  it('takes the user from the headers of the proxy, and the rights from the cluster', async () => {
    expect(await call(widgets, as('jane', { method: 'POST', body: door }))).toMatchObject({ code: 201 });
    expect(await call(`${widgets}/door`, as('jo', {}, 'viewers'))).toMatchObject({ code: 200 });
    const denied = await call(`${widgets}/door`, as('jo', { method: 'DELETE' }, 'viewers'));
    expect(denied).toMatchObject({ code: 403, body: { reason: 'Forbidden' } });
    expect(denied.text).toContain('User \\"jo\\" cannot delete resource \\"widgets\\"');
  });

  it('allows everything to the masters that the proxy names, without asking the cluster', async () => {
    const before = reviews('subjectaccessreviews');
    expect(await call(widgets, as('system:kube-aggregator', {}, 'system:masters'))).toMatchObject({ code: 200 });
    expect(reviews('subjectaccessreviews')).toBe(before);
  });

  it('asks the cluster about bearer tokens and rights once, and then answers from its caches', async () => {
    await cluster.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    const answer = await cluster.send('POST', '/api/v1/namespaces/default/serviceaccounts/robot/token', {});
    const { status } = answer as { readonly status: { readonly token: string } };
    const headers = { authorization: `Bearer ${status.token}` };
    const [tokens, rights] = [reviews('tokenreviews'), reviews('subjectaccessreviews')];
    for (let i = 0; i < 3; i++) {
      expect(
        await call(widgets, { headers, method: 'POST', body: { ...door, metadata: { generateName: 'r-' } } }),
      ).toMatchObject({ code: 201 });
      expect(await call(widgets, { headers })).toMatchObject({ code: 403 });
      expect(await call(widgets, { headers: { authorization: 'Bearer guess' } })).toMatchObject({ code: 401 });
    }
    // An answer with an error, as for an unknown token, is not cached.
    expect(reviews('tokenreviews') - tokens).toBe(1 + 3);
    expect(reviews('subjectaccessreviews') - rights).toBe(2);
  });

  it('recognizes client certificates of the cluster until they expire', async () => {
    const jane = await clients.issue({ subject: 'CN=jane', purposes: ['client'] });
    expect(
      await call(widgets, { pair: jane, method: 'POST', body: { ...door, metadata: { generateName: 'c-' } } }),
    ).toMatchObject({ code: 201 });
    const expired = await clients.issue({ subject: 'CN=jane', purposes: ['client'], until: new Date('2022-01-01') });
    expect(await call(widgets, { pair: expired })).toMatchObject({ code: 401 });
  });

  it.each([
    ['another name than the cluster allows', async () => proxyNamed(proxies, 'somebody')],
    [
      'a certificate of another authority',
      async () => proxyNamed(await makeAuthority('CN=other'), 'front-proxy-client'),
    ],
    ['a certificate that has expired', async () => proxyNamed(proxies, 'front-proxy-client', new Date('2022-01-01'))],
    ['no certificate at all', async () => undefined],
  ])('does not let a proxy name users with %s', async (_, pairOf) => {
    const answer = await call(widgets, { ...as('system:admin', {}, 'system:masters'), pair: await pairOf() });
    expect([401, 403]).toContain(answer.code);
    expect(answer.text).not.toContain('system:admin');
  });

  it('answers health probes without asking the cluster, and refuses other requests without credentials', async () => {
    const before = reviews('subjectaccessreviews');
    for (const path of ['/healthz', '/livez', '/readyz'])
      expect(await call(path)).toMatchObject({ code: 200, text: 'ok' });
    expect(reviews('subjectaccessreviews')).toBe(before);
    expect(await call(widgets)).toMatchObject({ code: 403 });
  });
});

describe('the cluster', () => {
  const masters = (more: BehindCall = {}): BehindCall => as('system:admin', more, 'system:masters');

  it('has the namespaces for new objects, later ones too', async () => {
    const inNamespace = (name: string): string => `/apis/shop.example.com/v1/namespaces/${name}/widgets`;
    const missing = await call(inNamespace('nowhere'), masters({ method: 'POST', body: door }));
    expect(missing).toMatchObject({ code: 404, body: { message: 'namespaces "nowhere" not found' } });
    await cluster.send('POST', '/api/v1/namespaces', { metadata: { name: 'fresh' } });
    expect(await call(inNamespace('fresh'), masters({ method: 'POST', body: door }))).toMatchObject({ code: 201 });
  });

  it('empties a terminating namespace, and refuses creates in it', async () => {
    await cluster.send('POST', '/api/v1/namespaces', { metadata: { name: 'ending' } });
    const path = '/apis/shop.example.com/v1/namespaces/ending/widgets';
    expect(await call(path, masters({ method: 'POST', body: door }))).toMatchObject({ code: 201 });
    const configMaps = '/api/v1/namespaces/ending/configmaps';
    await cluster.send('POST', configMaps, { metadata: { name: 'held', finalizers: ['example.com/held'] } });
    await cluster.send('DELETE', '/api/v1/namespaces/ending');
    await expect
      .poll(() => call(path, masters({ method: 'POST', body: { ...door, metadata: { name: 'late' } } })))
      .toMatchObject({ code: 403, body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } });
    const controller = 'system:serviceaccount:kube-system:namespace-controller';
    const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system'];
    expect(await call(path, as(controller, { method: 'DELETE' }, ...groups))).toMatchObject({ code: 200 });
    expect(await call(path, masters())).toMatchObject({ code: 200, body: { items: [] } });
    await cluster.send('PATCH', `${configMaps}/held`, { metadata: { finalizers: null } });
  });

  it('replaces the authority and the name of its proxies without a restart', async () => {
    const others = await makeAuthority('CN=next-front-proxy-ca');
    const next = await proxyNamed(others, 'next-proxy');
    const asNext = { ...masters(), pair: next };
    expect(await call(widgets, asNext)).not.toMatchObject({ code: 200 });
    await cluster.send('PATCH', trustMap, { data: trustData(others.cert, clients.cert, ['next-proxy']) });
    await expect.poll(() => call(widgets, asNext), { timeout: 10_000 }).toMatchObject({ code: 200 });
    expect(await call(widgets, masters())).not.toMatchObject({ code: 200 });
    await cluster.send('PATCH', trustMap, { data: { 'requestheader-client-ca-file': 'nonsense' } });
    await cluster.send('PATCH', trustMap, { data: trustData(cluster.ownProxies + proxies.cert, clients.cert) });
    await expect.poll(() => call(widgets, masters()), { timeout: 10_000 }).toMatchObject({ code: 200 });
  });
});

describe('discovery and OpenAPI', () => {
  const aggregator = (more: BehindCall = {}): BehindCall => as('system:aggregator', more);

  it('finds only the groups of the project, in every form of discovery', async () => {
    const groups = await call('/apis', aggregator());
    expect(groups).toMatchObject({ code: 200, body: { kind: 'APIGroupList', groups: [{ name: 'shop.example.com' }] } });
    const listed = await call('/apis/shop.example.com/v1', aggregator());
    expect(listed.body.resources).toMatchObject([{ name: 'widgets' }, { name: 'widgets/status' }]);
    expect(JSON.stringify(listed.body.resources)).toContain('"deletecollection"');
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
    const all = await call('/apis', aggregator({ headers: { accept } }));
    expect(all).toMatchObject({
      code: 200,
      body: { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name: 'shop.example.com' } }] },
    });
    expect(all.body.items).toHaveLength(1);
    expect(groups.body.groups).toHaveLength(1);
  });

  it('finds OpenAPI of both versions with the paths of the project', async () => {
    const two = await call('/openapi/v2', aggregator());
    expect(Object.keys(two.body.paths as object)).toContain('/apis/shop.example.com/v1/namespaces/{namespace}/widgets');
    expect(Object.keys(two.body.paths as object).filter((path) => path.startsWith('/api/v1'))).toEqual([]);
    const three = await call('/openapi/v3', aggregator());
    expect(Object.keys(three.body.paths as object)).toContain('apis/shop.example.com/v1');
    expect(await call('/openapi/v3/apis/shop.example.com/v1', aggregator())).toMatchObject({ code: 200 });
  });
});

describe('a start that cannot work', () => {
  const start = (file: string): Promise<ListeningServer> => startBehind(cluster, file);

  it('names all missing rights, and the commands that grant them', async () => {
    await cluster.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'poor' } });
    const poor = await cluster.kubeconfigOf('default', 'poor');
    await expect(start(poor)).rejects.toThrow(
      /does not let system:serviceaccount:default:poor .*\n {2}kubectl create rolebinding \S+ --namespace=kube-system --role=extension-apiserver-authentication-reader --serviceaccount=default:poor\n {2}kubectl create clusterrole \S+ --verb=get,list,watch --resource=namespaces\n {2}kubectl create clusterrolebinding \S+ --clusterrole=\S+ --serviceaccount=default:poor\n {2}kubectl create clusterrolebinding \S+ --clusterrole=system:auth-delegator --serviceaccount=default:poor/,
    );
  });

  it('reports that the cluster does not accept the credentials', async () => {
    const text = JSON.stringify({
      ...readJson(kubeconfig),
      users: [{ name: userOf(kubeconfig), user: { token: 'old' } }],
    });
    const file = join(folder, 'old.kubeconfig');
    writeFileSync(file, text);
    await expect(start(file)).rejects.toThrow(/does not accept the credentials; renew them/);
  });

  it('reports that the cluster has no ConfigMap', async () => {
    const other = await startServer({ naming: 'kubernetes', http: {}, authentication: { anonymous: 'administrator' } });
    onTestFinished(() => other.stop());
    await fetch(`${other.url}${trustMap}`, { method: 'DELETE' });
    const file = filesIn(folder)('other.kubeconfig', kubeconfigFor(other.url));
    await expect(start(file)).rejects.toThrow(/has no ConfigMap kube-system\/extension-apiserver-authentication/);
  });

  it.each([
    [{ naming: 'platform' }, /aggregated needs the names of Kubernetes; set naming to kubernetes/],
    [{ tls: undefined }, /aggregated: clusters connect over TLS only; set tls.port/],
    [
      { authorization: { modes: ['AlwaysAllow'] } },
      /authorization.modes has no effect, because the cluster of aggregated decides; leave it out/,
    ],
    [
      { authentication: { anonymous: 'administrator' } },
      /authentication.anonymous has no effect, because the cluster of aggregated decides/,
    ],
  ] as const)('refuses %o', async (options, message) => {
    await expect(
      startServer({ ...{ naming: 'kubernetes', tls: {} }, aggregated: { kubeconfig }, ...options } as never),
    ).rejects.toThrow(message);
  });
});

it('answers with a 500 while the cluster is down, and prints the cure at a start', async () => {
  await cluster.server.stop();
  const began = Date.now();
  const answer = await call(widgets, as('later'));
  expect(answer).toMatchObject({ code: 500, body: { reason: 'InternalError' } });
  expect(answer.text).toContain('subjectaccessreviews');
  expect(await call(widgets, { headers: { authorization: 'Bearer another' } })).toMatchObject({ code: 401 });
  const inNew = '/apis/shop.example.com/v1/namespaces/unheard/widgets';
  const masters = as('system:admin', { method: 'POST', body: door }, 'system:masters');
  expect(await call(inNew, masters)).toMatchObject({ code: 500 });
  expect(await call(widgets, { ...masters, body: { ...door, metadata: { name: 'gate' } } })).toMatchObject({
    code: 201,
  });
  expect(await call('/readyz')).toMatchObject({ code: 200 });
  await expect(startBehind(cluster, kubeconfig)).rejects.toThrow(
    /the cluster cannot be asked: .*ECONNREFUSED.*; check its address, and that it runs/,
  );
  expect(Date.now() - began).toBeLessThan(10_000);
});
