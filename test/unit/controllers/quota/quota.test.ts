import { expect, it } from 'vitest';
import { defineQuotaController } from '../../../../controllers/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { startServer } from '../../../../server/index.js';
import { servingForTests } from '../../../support/serving.js';

const running = servingForTests({ naming: 'kubernetes', authorizationMode: 'AlwaysAllow' });

const patience = { timeout: 30_000 };

async function send(method: string, path: string, body?: object, { url } = running()) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  const answer = await fetch(`${url}${path}`, { method, ...init });
  return { code: answer.status, body: await answer.json() };
}

const create = async (path: string, body: object, server = running()): Promise<number> =>
  (await send('POST', path, body, server)).code;

const within = (namespace: string, plural = ''): string => `/api/v1/namespaces/${namespace}/${plural}`;

async function quota(namespace: string, hard: object, more: object = {}, server = running()): Promise<void> {
  await create('/api/v1/namespaces', { metadata: { name: namespace } }, server);
  const made = { metadata: { name: 'q' }, spec: { hard, ...more } };
  expect(await create(within(namespace, 'resourcequotas'), made, server)).toBe(201);
}

const statusOf = async (namespace: string, server = running()) =>
  (await send('GET', within(namespace, 'resourcequotas/q'), undefined, server)).body.status;
const usedIn = async (namespace: string, server = running()): Promise<unknown> =>
  (await statusOf(namespace, server)).used;
const hasUsed = (namespace: string, used: object, server = running()) =>
  expect.poll(() => usedIn(namespace, server), patience).toEqual(used);

const container = (requests: object = {}): object => ({ name: 'c', image: 'i', resources: { requests } });
const pod = (name: string, requests: object = {}, more: object = {}): object => ({
  metadata: { name },
  spec: { automountServiceAccountToken: false, containers: [container(requests)], ...more },
});

it('writes the limits in force, and the current use of objects of all sorts', async () => {
  const namespace = 'sorts';
  await create('/api/v1/namespaces', { metadata: { name: namespace } });
  await expect.poll(async () => (await send('GET', within(namespace, 'serviceaccounts/default'))).code).toBe(200);
  for (const name of ['a', 'b', 'c']) {
    expect(await create(within(namespace, 'secrets'), { metadata: { name } })).toBe(201);
  }
  expect(await create(within(namespace, 'pods'), pod('p', { cpu: '100m', 'example.com/gpu': '2' }))).toBe(422);
  expect(await create(within(namespace, 'pods'), pod('p', { cpu: '100m' }))).toBe(201);
  expect(await create(within(namespace, 'pods'), pod('r', { cpu: '1' }, { activeDeadlineSeconds: 9 }))).toBe(201);
  const ports = [{ port: 1 }];
  expect(
    await create(within(namespace, 'services'), { metadata: { name: 's' }, spec: { type: 'NodePort', ports } }),
  ).toBe(201);
  const claim = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'gold',
    resources: { requests: { storage: '2Gi' } },
  };
  expect(await create(within(namespace, 'persistentvolumeclaims'), { metadata: { name: 'd' }, spec: claim })).toBe(201);
  const lease = { metadata: { name: 'l' }, spec: {} };
  expect(await create(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, lease)).toBe(201);
  const hard = {
    secrets: '9',
    pods: '9',
    'requests.cpu': '9',
    'services.nodeports': '9',
    'gold.storageclass.storage.k8s.io/requests.storage': '9Gi',
    'count/leases.coordination.k8s.io': '9',
    'count/nothings.example.com': '9',
    'limits.example.com/x': '9',
  };
  await quota(namespace, hard);
  await hasUsed(namespace, {
    secrets: '3',
    pods: '2',
    'requests.cpu': '1100m',
    'services.nodeports': '1',
    'gold.storageclass.storage.k8s.io/requests.storage': '2Gi',
    'count/leases.coordination.k8s.io': '1',
    'count/nothings.example.com': '0',
  });
  expect((await statusOf(namespace)).hard).toEqual(hard);
  const ending = { metadata: { name: 'ending' }, spec: { hard: { pods: '9' }, scopes: ['Terminating'] } };
  expect(await create(within(namespace, 'resourcequotas'), ending)).toBe(201);
  const usedByEnding = async () => (await send('GET', within(namespace, 'resourcequotas/ending'))).body.status.used;
  await expect.poll(usedByEnding, patience).toEqual({ pods: '1' });
}, 60_000);

it('releases the use of deleted objects, and follows the limits', async () => {
  await quota('back', { configmaps: '1' });
  await hasUsed('back', { configmaps: '0' });
  expect(await create(within('back', 'configmaps'), { metadata: { name: 'a' } })).toBe(201);
  expect(await create(within('back', 'configmaps'), { metadata: { name: 'b' } })).toBe(403);
  expect((await send('DELETE', within('back', 'configmaps/a'))).code).toBe(200);
  await hasUsed('back', { configmaps: '0' });
  expect(await create(within('back', 'configmaps'), { metadata: { name: 'b' } })).toBe(201);
  await send('PATCH', within('back', 'resourcequotas/q'), { spec: { hard: { configmaps: '3', secrets: '2' } } });
  await hasUsed('back', { configmaps: '1', secrets: '0' });
  expect((await statusOf('back')).hard).toEqual({ configmaps: '3', secrets: '2' });
}, 60_000);

it('releases the use of pods that have ended, and of parts that services lost', async () => {
  await quota('ends', { pods: '5', 'count/pods': '5', 'services.nodeports': '1' });
  await hasUsed('ends', { pods: '0', 'count/pods': '0', 'services.nodeports': '0' });
  await expect.poll(() => create(within('ends', 'pods'), pod('p')), patience).toBe(201);
  const service = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 1 }] } };
  expect(await create(within('ends', 'services'), service)).toBe(201);
  await hasUsed('ends', { pods: '1', 'count/pods': '1', 'services.nodeports': '1' });
  await send('PATCH', within('ends', 'pods/p/status'), { status: { phase: 'Succeeded' } });
  await send('PATCH', within('ends', 'services/s'), { spec: { type: 'ClusterIP' } });
  await hasUsed('ends', { pods: '0', 'count/pods': '1', 'services.nodeports': '0' });
}, 60_000);

it('never counts away objects that are still being stored', async () => {
  await quota('churn', { configmaps: '10' });
  await hasUsed('churn', { configmaps: '0' });
  let most = 0;
  const countOften = async (): Promise<void> => {
    const { items } = (await send('GET', within('churn', 'configmaps'))).body;
    most = Math.max(most, items.length);
  };
  const work = Array.from({ length: 20 }, async (_, worker) => {
    for (let i = 0; i < 15; i++) {
      const name = `c-${worker}-${i}`;
      if ((await create(within('churn', 'configmaps'), { metadata: { name } })) !== 201) continue;
      await countOften();
      await send('DELETE', within('churn', `configmaps/${name}`));
    }
  });
  await Promise.all(work);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(10);
  await hasUsed('churn', { configmaps: '0' });
}, 60_000);

it('counts again regularly, because failed writes have been charged too', async () => {
  const server = await startServer({
    naming: 'kubernetes',
    storage: 'memory',
    http: { port: 'auto' },
    authentication: { anonymous: 'administrator' },
    controllers: [defineQuotaController({ naming: kubernetesNaming, recountMs: 3000 })],
  });
  try {
    await quota('leak', { configmaps: '9' }, {}, server);
    await hasUsed('leak', { configmaps: '0' }, server);
    // A new quota is counted once more, soon after its limits are in force.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await create(within('leak', 'configmaps'), { metadata: { name: 'a' } }, server)).toBe(201);
    expect(await create(within('leak', 'configmaps'), { metadata: { name: 'a' } }, server)).toBe(409);
    expect(await usedIn('leak', server)).toEqual({ configmaps: '2' });
    await hasUsed('leak', { configmaps: '1' }, server);
  } finally {
    await server.stop();
  }
}, 60_000);
