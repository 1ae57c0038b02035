/** Quotas stay exact with any number of servers and clients. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, ask as askServer } from '../../support/ask.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../support/etcd.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

interface Body {
  readonly message?: string;
  readonly status?: unknown;
  readonly items?: readonly unknown[];
}

const ask = (server: ListeningServer, method: string, path: string, body?: object): Promise<Answer<Body>> =>
  askServer<Body>(server, method, `/api/v1/namespaces${path}`, body);

const serve = (flags: object = {}): Promise<ListeningServer> =>
  startServing({ authorizationMode: 'AlwaysAllow', controllers: 'none', naming: 'kubernetes', ...flags });

/** Makes a namespace with a quota of this status. */
async function limit(server: ListeningServer, namespace: string, hard: object, used: object): Promise<void> {
  expect((await ask(server, 'POST', '', { metadata: { name: namespace } })).code).toBe(201);
  const quota = { metadata: { name: 'q' }, spec: { hard } };
  expect((await ask(server, 'POST', `/${namespace}/resourcequotas`, quota)).code).toBe(201);
  const status = { status: { hard, used } };
  expect((await ask(server, 'PATCH', `/${namespace}/resourcequotas/q/status`, status)).code).toBe(200);
}

/** Creates ConfigMaps on all servers at once. Resolves to the codes. */
async function race(servers: readonly ListeningServer[], namespace: string, count: number): Promise<readonly number[]> {
  const creates = Array.from({ length: count }, (_, i) => {
    const server = servers[i % servers.length];
    if (!server) throw new Error('no servers');
    return ask(server, 'POST', `/${namespace}/configmaps`, { metadata: { name: `c${i}` } });
  });
  return (await Promise.all(creates)).map(({ code }) => code);
}

const times = (codes: readonly number[], code: number): number => codes.filter((one) => one === code).length;

describe('a quota of ten', () => {
  let server: ListeningServer;
  beforeAll(async () => {
    server = await serve();
  }, 300_000);
  afterAll(() => server.stop());

  it('admits ten of a hundred concurrent creates', async () => {
    await limit(server, 'race', { configmaps: '10' }, { configmaps: '0' });
    const codes = await race([server], 'race', 100);
    expect([times(codes, 201), times(codes, 403)]).toEqual([10, 90]);
    expect((await ask(server, 'GET', '/race/configmaps')).body.items).toHaveLength(10);
    expect((await ask(server, 'GET', '/race/resourcequotas/q')).body.status).toEqual({
      hard: { configmaps: '10' },
      used: { configmaps: '10' },
    });
  });

  it('counts custom resources like any other', async () => {
    const definition = {
      metadata: { name: 'gadgets.shop.example.com' },
      spec: {
        group: 'shop.example.com',
        names: { plural: 'gadgets', kind: 'Gadget' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const definitions = `${server.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
    const headers = { 'content-type': 'application/json' };
    const made = await fetch(definitions, { method: 'POST', headers, body: JSON.stringify(definition) });
    expect(made.status).toBe(201);
    await limit(server, 'shop', { 'count/gadgets.shop.example.com': '1' }, { 'count/gadgets.shop.example.com': '0' });
    const gadgets = `${server.url}/apis/shop.example.com/v1/namespaces/shop/gadgets`;
    await vi.waitUntil(async () => (await fetch(gadgets)).status === 200, 30_000);
    const create = async (name: string) => {
      const gadget = { apiVersion: 'shop.example.com/v1', kind: 'Gadget', metadata: { name } };
      return fetch(gadgets, { method: 'POST', headers, body: JSON.stringify(gadget) });
    };
    expect((await create('a')).status).toBe(201);
    const refused = await create('b');
    expect(refused.status).toBe(403);
    expect((await refused.json()).message).toBe(
      'gadgets.shop.example.com "b" is forbidden: exceeded quota: q, requested: count/gadgets.shop.example.com=1, ' +
        'used: count/gadgets.shop.example.com=1, limited: count/gadgets.shop.example.com=1',
    );
  });
});

describe.skipIf(!hasEtcd)(`two servers over one ${etcdOrWhyNot}`, () => {
  let cluster: EtcdCluster;
  let servers: ListeningServer[] = [];
  beforeAll(async () => {
    cluster = await startEtcd();
    const storage = `etcd:${cluster.endpoints.join(',')}`;
    servers = [await serve({ storage }), await serve({ storage })];
  }, 300_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await cluster?.dispose();
  });

  it('stay within a quota together', async () => {
    const [first, second] = servers;
    if (!first || !second) throw new Error('no servers');
    await limit(first, 'shared', { configmaps: '10' }, { configmaps: '0' });
    await vi.waitUntil(async () => {
      const { status } = (await ask(second, 'GET', '/shared/resourcequotas/q')).body;
      return JSON.stringify(status).includes('used');
    }, 30_000);
    const codes = await race(servers, 'shared', 100);
    expect([times(codes, 201), times(codes, 403)]).toEqual([10, 90]);
    expect((await ask(first, 'GET', '/shared/configmaps')).body.items).toHaveLength(10);
  });
});
