/** Two servers over one etcd are one API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask as askJson } from '../support/ask.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { until } from '../support/eventually.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

interface Body {
  readonly data?: unknown;
  readonly reason?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const ask = (server: ServerProcess, method: string, path: string, body?: unknown) =>
  askJson<Body>(server, method, path, body);

const configMap = (name: string, value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
});

/** Yields the lines of a watch when they arrive. */
async function watch(server: ServerProcess, query: string) {
  const ending = new AbortController();
  const answer = await fetch(`${server.url}${configMaps}?watch=1&${query}`, { signal: ending.signal });
  const events: string[] = [];
  const reading = (async () => {
    let rest = '';
    for await (const chunk of answer.body ?? []) {
      const lines = (rest + Buffer.from(chunk).toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const { type, object } of lines.map((line) => JSON.parse(line))) {
        events.push(`${type} ${object.metadata.name} ${object.data?.value}`);
      }
    }
  })().catch(() => {});
  return {
    events,
    async stop() {
      ending.abort();
      await reading;
    },
  };
}

describe.runIf(hasEtcd)(`two servers over one ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let a: ServerProcess;
  let b: ServerProcess;
  beforeAll(async () => {
    etcd = await startEtcd();
    const flags = ['--storage', `etcd:${etcd.endpoints.join(',')}?prefix=e2e`];
    [a, b] = await Promise.all([startServerProcess(...flags), startServerProcess(...flags)]);
  });
  afterAll(async () => {
    await Promise.all([a?.kill(), b?.kill()]);
    await etcd?.dispose();
  });

  it('read each other’s writes at once, and build on them', async () => {
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 ? [a, b] : [b, a];
      const name = `read-${round}`;
      const made = await ask(writer, 'POST', configMaps, configMap(name, 'one'));
      expect(made.code).toBe(201);
      expect(await ask(reader, 'GET', `${configMaps}/${name}`)).toEqual({ code: 200, body: made.body });
      const changed = await ask(reader, 'PUT', `${configMaps}/${name}`, { ...made.body, data: { value: 'two' } });
      expect(changed.code).toBe(200);
      const late = await ask(writer, 'PUT', `${configMaps}/${name}`, { ...made.body, data: { value: 'late' } });
      expect(late).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
      expect((await ask(writer, 'DELETE', `${configMaps}/${name}`)).code).toBe(200);
      expect((await ask(reader, 'GET', `${configMaps}/${name}`)).code).toBe(404);
    }
  });

  it('continue a list in chunks that the other has begun', async () => {
    for (const name of ['p1', 'p2', 'p3']) await ask(a, 'POST', configMaps, configMap(name, 'x'));
    const first = await ask(a, 'GET', `${configMaps}?limit=2`);
    const token = first.body.metadata.continue ?? '';
    expect(token).not.toBe('');
    await ask(a, 'POST', configMaps, configMap('p4', 'x'));
    const second = await ask(b, 'GET', `${configMaps}?limit=2&continue=${token}`);
    expect(second.code).toBe(200);
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  });

  it('follow roles and bindings that the other server creates and removes', async () => {
    const ofAnna = async (server: ServerProcess): Promise<number> => {
      const headers = { 'impersonate-user': 'anna' };
      return (await fetch(`${server.url}/api/v1/namespaces/default/configmaps`, { headers })).status;
    };
    const rights = '/apis/rbac.authorization.platform.io/v1/namespaces/default';
    expect([await ofAnna(a), await ofAnna(b)]).toEqual([403, 403]);
    await ask(a, 'POST', `${rights}/roles`, {
      metadata: { name: 'reader' },
      rules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }],
    });
    await ask(b, 'POST', `${rights}/rolebindings`, {
      metadata: { name: 'anna' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.platform.io', kind: 'User', name: 'anna' }],
    });
    for (const server of [a, b]) await until(async () => (await ofAnna(server)) === 200);
    await ask(a, 'DELETE', `${rights}/rolebindings/anna`);
    for (const server of [b, a]) await until(async () => (await ofAnna(server)) === 403);
  });

  it('report an object that something else has overwritten, with a log line, a metric and a 500', async () => {
    const made = await ask(a, 'POST', configMaps, configMap('spoilt', 'x'));
    expect(made.code).toBe(201);
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const put = { key: base64('/e2e/objects//configmaps/default/spoilt'), value: base64('garbage') };
    const body = JSON.stringify(put);
    expect((await fetch(`${etcd.endpoints[0]}/v3/kv/put`, { method: 'POST', body })).status).toBe(200);
    const metric = async (server: ServerProcess): Promise<string | undefined> =>
      /^kindforge_storage_damaged_objects_total (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1];
    for (const server of [a, b]) {
      await until(async () => (await metric(server)) === '1');
      expect(server.output()).toMatch(
        /not served: \/configmaps\/default\/spoilt: the value in etcd at .*; delete the key in etcd/,
      );
      for (const [method, of] of [
        ['GET', undefined],
        ['PUT', configMap('spoilt', 'y')],
        ['DELETE', undefined],
      ] as const) {
        expect(await ask(server, method, `${configMaps}/spoilt`, of)).toMatchObject({
          code: 500,
          body: { reason: 'InternalError', message: expect.stringContaining('the stored object cannot be read') },
        });
      }
      expect((await ask(server, 'POST', configMaps, configMap('spoilt', 'y'))).code).toBe(500);
      expect((await ask(server, 'GET', configMaps)).code).toBe(200);
    }
    const range = JSON.stringify({ key: put.key });
    expect((await fetch(`${etcd.endpoints[0]}/v3/kv/deleterange`, { method: 'POST', body: range })).status).toBe(200);
    for (const server of [a, b])
      await until(async () => (await ask(server, 'GET', `${configMaps}/spoilt`)).code === 404);
    expect((await ask(b, 'POST', configMaps, configMap('spoilt', 'z'))).code).toBe(201);
  });

  it('serve the continuation of a watch of the other after its end, and wait for etcd to come back', async () => {
    const list = await ask(a, 'GET', configMaps);
    const from = list.body.metadata.resourceVersion;
    const first = await watch(a, `resourceVersion=${from}`);
    const made = await ask(b, 'POST', configMaps, configMap('one', '1'));
    await until(() => first.events.length === 1);
    await ask(b, 'POST', configMaps, configMap('two', '2'));
    await a.kill();
    const seen = made.body.metadata.resourceVersion;
    const second = await watch(b, `resourceVersion=${seen}`);
    await until(() => second.events.length === 1);
    expect([...first.events.slice(0, 1), ...second.events]).toEqual(['ADDED one 1', 'ADDED two 2']);

    await etcd.members[0]?.kill();
    await until(async () => (await fetch(`${b.url}/readyz`)).status === 500);
    expect(await (await fetch(`${b.url}/readyz?verbose`)).text()).toContain('[-]storage failed');
    expect((await fetch(`${b.url}/livez`)).status).toBe(200);
    expect(await ask(b, 'GET', `${configMaps}/one`)).toMatchObject({
      code: 503,
      body: { reason: 'ServiceUnavailable', message: expect.stringContaining('etcd at 127.0.0.1') },
    });
    expect((await ask(b, 'GET', `${configMaps}/one?resourceVersion=0`)).code).toBe(200);
    await etcd.members[0]?.restart();
    await until(async () => (await fetch(`${b.url}/readyz`)).status === 200);
    expect((await ask(b, 'POST', configMaps, configMap('three', '3'))).code).toBe(201);
    await until(() => second.events.length === 2);
    expect(second.events.at(-1)).toBe('ADDED three 3');
    await second.stop();
  });
});
