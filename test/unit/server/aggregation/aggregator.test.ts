/** APIServices in a server: the conditions that it writes, and the requests that it forwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../../../server/index.js';

let server: ListeningServer;
beforeAll(async () => {
  server = await startServer({ authentication: { anonymous: 'administrator' }, controllers: [] });
});
afterAll(() => server.stop());

const services = '/apis/apiregistration.platform.io/v1/apiservices';

const ask = (path: string, method = 'GET', body?: object): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const read = async (path: string) => (await ask(path)).json();

const register = (group: string, version: string, change: object = {}): Promise<Response> =>
  ask(services, 'POST', {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'absent' },
      ...change,
    },
  });

const conditionOf = async (name: string) => (await read(`${services}/${name}`)).status?.conditions?.[0];

describe('an APIService with a service', () => {
  it('reports why the service cannot be used, in its condition and in a warning', async () => {
    expect((await register('zoo.example.com', 'v1')).status).toBe(201);
    await expect
      .poll(() => conditionOf('v1.zoo.example.com'))
      .toMatchObject({
        type: 'Available',
        status: 'False',
        reason: 'ServiceNotFound',
        message: 'service/absent in "default" is not present',
      });
    const refused = await ask('/apis/zoo.example.com/v1/animals');
    expect([refused.status, await refused.text()]).toEqual([503, 'service unavailable\n']);
    expect(refused.headers.get('warning')).toBe(
      '299 - "v1.zoo.example.com is not available: ServiceNotFound: service/absent in \\"default\\" is not present"',
    );
    for (const path of ['/apis/zoo.example.com/v1', '/apis/zoo.example.com/v1/a/b/c/d/e']) {
      expect((await ask(path)).status).toBe(503);
    }
  });

  it('is checked again as soon as its Service changes', async () => {
    await ask('/api/v1/namespaces/default/services', 'POST', {
      metadata: { name: 'absent' },
      spec: { ports: [{ port: 80 }] },
    });
    await expect.poll(async () => (await conditionOf('v1.zoo.example.com')).reason).toBe('ServicePortError');
    await ask('/api/v1/namespaces/default/services/absent', 'DELETE');
    await expect.poll(async () => (await conditionOf('v1.zoo.example.com')).reason).toBe('ServiceNotFound');
  });

  it('is in discovery by its priority, and an unknown version of its group is not', async () => {
    await register('art.example.com', 'v1', { groupPriorityMinimum: 17500 });
    const names = (await read('/apis')).groups.map(({ name }: { name: string }) => name);
    const places = ['apps', 'art.example.com', 'batch', 'zoo.example.com'].map((name) => names.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect((await ask('/apis/zoo.example.com/v2')).status).toBe(404);
    expect((await ask('/apis/zoo.example.com/v2/animals')).status).toBe(404);
    expect((await ask('/apis/none.example.com')).status).toBe(404);
  });

  it('gets no requests for groups that the server serves itself', async () => {
    const change = { spec: { service: { namespace: 'default', name: 'absent' } } };
    expect((await ask(`${services}/v1.apps`, 'PATCH', change)).status).toBe(200);
    await expect.poll(async () => (await conditionOf('v1.apps')).reason).toBe('ServiceNotFound');
    expect((await ask('/apis/apps/v1')).status).toBe(200);
    expect((await ask('/apis/apps/v1/deployments')).status).toBe(200);
  });

  it('is available again without the service, because the server answers itself', async () => {
    expect((await ask(`${services}/v1.apps`, 'PATCH', { spec: { service: null } })).status).toBe(200);
    await expect
      .poll(() => conditionOf('v1.apps'))
      .toMatchObject({
        status: 'True',
        reason: 'Local',
        message: 'Local APIServices are always available',
      });
  });

  it('is counted by a metric while it is not available', async () => {
    const text = await (await ask('/metrics')).text();
    expect(text).toContain('aggregator_unavailable_apiservice{name="v1.zoo.example.com"} 1');
    expect(text).toContain('aggregator_unavailable_apiservice{name="v1.batch"} 0');
  });

  it('removes its group when it is deleted', async () => {
    await ask(`${services}/v1.zoo.example.com`, 'DELETE');
    expect((await ask('/apis/zoo.example.com/v1/animals')).status).toBe(404);
    expect(await (await ask('/apis')).text()).not.toContain('zoo.example.com');
  });
});
