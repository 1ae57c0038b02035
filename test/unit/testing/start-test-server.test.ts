import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ApiObjectLike, createResourceClient, defineResource } from '../../../client/index.js';
import { defineController, watch } from '../../../controllers/kit/index.js';
import { createClient } from '../../../generated/index.js';
import { clusterRoles } from '../../../generated/rbac.authorization.platform.io/v1/clusterroles/resource.js';
import { startTestServer, type TestServer, UntilTimeoutError } from '../../../testing/index.js';
import { root } from '../../support/shared.js';

interface Widget extends ApiObjectLike {
  readonly spec: { readonly size: string; readonly count?: number };
}

const widgets = defineResource<Widget>()({
  group: 'shop.example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  scope: 'Namespaced',
  subresources: [],
} as const);

const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'string', enum: ['small', 'large'] } } } },
};

const definition = {
  apiVersion: 'kindforge.dev/v1',
  kind: 'ResourceDefinition',
  metadata: { name: 'widgets.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};

const customResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.shop.example.com' },
  spec: {
    ...definition.spec,
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
  },
};

const widget = (name: string, size = 'small') => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { size },
});

const configMap = (name: string, text = '1') => ({
  apiVersion: 'v1' as const,
  kind: 'ConfigMap' as const,
  metadata: { name, namespace: 'default' },
  data: { text },
});

describe('definitions', () => {
  const refusal = /spec.size: Unsupported value: "medium"/;

  it.each([
    ['of a folder', { definitions: join(root, 'examples/hello') }],
    ['as a value', { definitions: definition }],
    ['as several values', { definitions: [definition] }],
    ['that are applied once it runs', { customResources: [customResource] }],
    ['that are applied under the names of Kubernetes', { customResources: [customResource], naming: 'kubernetes' }],
  ] as const)('%s are served', async (_, options) => {
    await using server = await startTestServer(options);
    const client = server.resource(widgets).in('default');
    await client.create(widget('one'));
    await expect(client.create(widget('two', 'medium'))).rejects.toThrow(refusal);
    expect((await client.list()).items).toHaveLength(1);
  });

  it('with mistakes are refused, and nothing is left open', async () => {
    const wrong = { ...definition, spec: { ...definition.spec, scope: 'Everywhere' } };
    await expect(startTestServer({ definitions: wrong })).rejects.toThrow(/definition-1.json:\d+:\d+.*Everywhere/s);
    await expect(startTestServer({ definitions: 'nowhere' })).rejects.toThrow('nowhere is not a folder');
    await expect(startTestServer({ customResources: [{ metadata: { name: 'x.y' } }] })).rejects.toThrow(/is invalid/);
  });
});

describe('a server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ definitions: definition, objects: [configMap('kept')] });
  });
  afterAll(() => server.dispose());

  it('has the objects of its options, and created ones', async () => {
    const [created] = await server.create(widget('made'));
    expect(created?.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    const kept = await createClient(server.client).core.v1.configMaps.in('default').get('kept');
    expect(kept.data).toEqual({ text: '1' });
    await expect(server.create({ ...widget('x'), kind: 'Gadget' })).rejects.toThrow('no resource of the kind Gadget');
  });

  it('lets users do what their roles allow, also over the network', async () => {
    const jane = server.asUser('jane', ['dev']);
    const read = () => createClient(jane.client).core.v1.configMaps.in('default').get('kept');
    await expect(read()).rejects.toThrow('User "jane" cannot get resource "configmaps"');
    const rbac = createClient(server.client).rbac.v1;
    await rbac.roleBindings.in('default').create({
      metadata: { name: 'dev' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.platform.io', kind: 'Group', name: 'dev' }],
    });
    expect((await read()).metadata.name).toBe('kept');
    const url = `${server.url}/api/v1/namespaces/default/configmaps/kept`;
    const ask = (authorization: string) => fetch(url, { headers: { authorization } });
    expect((await ask(`Bearer ${jane.token}`)).status).toBe(200);
    expect((await ask(`Basic ${Buffer.from(`any:${jane.token}`).toString('base64')}`)).status).toBe(200);
    expect((await ask('Bearer made-up')).status).toBe(401);
    expect((await ask(`Bearer ${server.asUser('joe').token}`)).status).toBe(403);
  });

  it('writes kubeconfigs that only their owner can read', () => {
    const path = server.asUser('jane').kubeconfigFile();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      users: [{ name: 'jane', user: { token: server.asUser('jane').token } }],
      contexts: [{ context: { user: 'jane' } }],
    });
  });

  it('waits until an object meets a condition, and until it is gone', async () => {
    const configMaps = createClient(server.client).core.v1.configMaps.in('default');
    const selector = { resource: 'configmaps', namespace: 'default', name: 'waited' } as const;
    const appeared = server.until<ApiObjectLike & { data?: Record<string, string> }>(
      selector,
      ({ data }) => data?.text === '2',
    );
    await configMaps.create(configMap('waited'));
    await configMaps.patch('waited', { data: { text: '2' } });
    expect((await appeared).metadata.name).toBe('waited');
    const gone = server.until(selector, 'deleted');
    await configMaps.delete('waited');
    await gone;
    const several = await server.until({ resource: widgets, labelSelector: 'app=a' }, (found) => found.length === 0);
    expect(several).toEqual([]);
  });

  it('waits without a limit on request', async () => {
    const selector = { resource: 'configmaps', namespace: 'default', name: 'endless' };
    const appeared = server.until(selector, () => true, { timeoutMs: Infinity });
    await sleep(20);
    await server.create(configMap('endless'));
    expect((await appeared).metadata.name).toBe('endless');
  });

  it('shows the last state if that takes too long', async () => {
    const selector = { resource: 'configmaps', namespace: 'default', name: 'kept' };
    const error = await server.until(selector, () => false, { timeoutMs: 20 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UntilTimeoutError);
    expect(String(error)).toContain('configmaps kept in default: not met after 20 ms; last seen: {');
    expect(String(error)).toContain('"text": "1"');
    await expect(server.until({ ...selector, name: 'nobody' }, () => true, { timeoutMs: 20 })).rejects.toThrow(
      'last seen: nothing',
    );
    await expect(server.until({ resource: 'gadgets' }, () => true)).rejects.toThrow('no resource gadgets is served');
    const misspelt: Promise<unknown> = Reflect.apply(server.until, server, [selector, 'delted']);
    await expect(misspelt).rejects.toThrow(`the condition "delted" is unknown; use 'deleted', or a function`);
    await expect((() => server.until(selector, () => JSON.parse('{')))()).rejects.toThrow(SyntaxError);
    const ended = server.until(selector, () => false, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(ended).rejects.toThrow('enough');
  });
});

it.each(['platform', 'kubernetes'] as const)('clients recognize a server with the names of %s', async (naming) => {
  await using server = await startTestServer({ naming });
  const group = naming === 'platform' ? 'rbac.authorization.platform.io' : 'rbac.authorization.k8s.io';
  for (const options of [server.client, server.server.client()]) {
    expect((await createClient(options).rbac.v1.clusterRoles.list({ limit: 1 })).apiVersion).toBe(`${group}/v1`);
  }

  const seen: string[] = [];
  await server.run(
    defineController({
      name: 'roles',
      watches: [watch(clusterRoles)],
      reconcile: async (key, { cacheOf }) => void seen.push(cacheOf(clusterRoles).get(key)?.metadata.name ?? ''),
    }),
  );
  await expect.poll(() => seen).toContain('view');
});

describe('a reset', () => {
  it('restores objects, definitions and rights, and reports them to watches', async () => {
    await using server = await startTestServer({
      definitions: definition,
      objects: [configMap('kept'), configMap('lost')],
    });
    const { store } = server.server;
    const state = () => {
      const listed = store.list('');
      if (typeof listed === 'string') throw new Error(listed);
      return listed.entries.map(
        ({ key, bytes }) =>
          `${key} ${Buffer.from(bytes)
            .toString()
            .replace(/"resourceVersion":"\d+"/, '')}`,
      );
    };
    const before = state();
    const api = createClient(server.client);
    const configMaps = api.core.v1.configMaps.in('default');
    const told: string[] = [];
    const ending = new AbortController();
    const { metadata } = await configMaps.list();
    const watching = (async () => {
      const options = { resourceVersion: metadata.resourceVersion ?? '', signal: ending.signal };
      for await (const { type, object } of configMaps.watch(options)) told.push(`${type} ${object.metadata.name}`);
    })().catch(() => {});
    await configMaps.patch('kept', { data: { text: 'changed' } });
    await configMaps.delete('lost');
    await configMaps.create(configMap('new'));
    await api.core.v1.namespaces.create({ metadata: { name: 'another' } });
    await api.apiextensions.v1.customResourceDefinitions.create({
      metadata: { name: 'gadgets.shop.example.com' },
      spec: {
        group: 'shop.example.com',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
        scope: 'Cluster',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    await server.until({ resource: 'apiservices', name: 'v1.shop.example.com' }, () => true);
    await server.create({ apiVersion: 'shop.example.com/v1', kind: 'Gadget', metadata: { name: 'g' } });
    const { revision } = store;
    await server.reset();
    await server.until({ resource: 'apiservices', name: 'v1.shop.example.com' }, 'deleted');
    expect(state()).toEqual(before);
    expect(store.revision).toBeGreaterThan(revision);
    await expect(
      server.create({ apiVersion: 'shop.example.com/v1', kind: 'Gadget', metadata: { name: 'g' } }),
    ).rejects.toThrow();
    // The next test gets a server that works.
    await configMaps.create(configMap('new'));
    await server.until({ resource: 'configmaps', name: 'new', namespace: 'default' }, () => true);
    ending.abort();
    await watching;
    expect(told.slice(0, 3)).toEqual(['MODIFIED kept', 'DELETED lost', 'ADDED new']);
    expect(told.slice(3, 6).sort()).toEqual(['ADDED lost', 'DELETED new', 'MODIFIED kept']);
    await server.reset();
    expect(state()).toEqual(before);
  });

  it('ends the controllers and faults of a test, and sets the clock back', async () => {
    const seen: string[] = [];
    const watcher = (name: string) =>
      defineController({
        name,
        watches: [watch(widgets)],
        reconcile: async (key) => void seen.push(`${name} ${key}`),
      });
    await using server = await startTestServer({
      definitions: definition,
      controllers: [watcher('always')],
      frozenAt: '2030-01-01T00:00:00Z',
    });
    await server.run(watcher('once'));
    server.faults.add({ verb: 'list', fault: { status: 500 } });
    await server.clock.advance(1000);
    await server.reset();
    expect(server.clock.now().toISOString()).toBe('2030-01-01T00:00:00.000Z');
    await server.create(widget('one'));
    await server.resource(widgets).list();
    await expect.poll(() => seen).toContain('always default/one');
    expect(seen).not.toContain('once default/one');
  });
});

describe('controllers', () => {
  it('do nothing by default, and built-in ones work if they are switched on', async () => {
    await using quiet = await startTestServer();
    await quiet.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    await createClient(quiet.client).core.v1.namespaces.delete('a');
    expect((await createClient(quiet.client).core.v1.namespaces.get('a')).status?.phase).toBe('Terminating');
    // Nobody makes accounts, and pods work without.
    const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'c', image: 'i' }] } };
    await quiet.create({ ...pod, metadata: { name: 'p', namespace: 'default' } });

    await using busy = await startTestServer({ controllers: true });
    await busy.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    await busy.until({ resource: 'serviceaccounts', namespace: 'a', name: 'default' }, () => true);
    await createClient(busy.client).core.v1.namespaces.delete('a');
    await busy.until({ resource: 'namespaces', name: 'a' }, 'deleted');
  });

  it('report nothing if history is gone under their watches, because they read the state again', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => said.mockRestore());
    await using own = await startTestServer();
    await own.create(configMap('first'));
    await own.clock.freeze('2099-01-01T00:00:00Z');
    await own.create(configMap('second'));
    await own.clock.advance(3_600_000);
    await own.create(configMap('third'));
    own.clock.resume();
    await sleep(1_000);
    expect(said.mock.calls.flat().join('\n')).not.toContain('too old resource version');
  });

  it('that cannot start are reported', async () => {
    await using server = await startTestServer({ onProblem: () => {} });
    const broken = { name: 'broken', run: async () => Promise.reject(new Error('no')) };
    await expect(server.run(broken)).rejects.toThrow('no');
  });
});

describe('the clock of a server', () => {
  it('includes objects, tokens, watches and history', async () => {
    await using server = await startTestServer({ frozenAt: '2030-06-01T00:00:00Z' });
    const api = createClient(server.client);
    const namespace = await api.core.v1.namespaces.get('default');
    expect(namespace.metadata.creationTimestamp).toBe('2030-06-01T00:00:00Z');
    await server.clock.advance(60_000);
    const [created] = await server.create(configMap('late'));
    expect(created?.metadata.creationTimestamp).toBe('2030-06-01T00:01:00Z');

    await server.create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'builder', namespace: 'default' },
    });
    const accounts = api.core.v1.serviceAccounts.in('default');
    const { status } = await accounts
      .subresource('token')
      .create<{ metadata: object; spec: object; status?: { token: string } }>('builder', {
        metadata: {},
        spec: { audiences: [], expirationSeconds: 600 },
      });
    const ask = async () =>
      (await fetch(`${server.url}/api`, { headers: { authorization: `Bearer ${status?.token}` } })).status;
    expect(await ask()).toBe(200);
    await server.clock.advance(601_000);
    expect(await ask()).toBe(401);

    const events = api.core.v1.configMaps.in('default').watch({ timeoutSeconds: 300 });
    await events.next();
    const ended = events.next();
    await server.clock.advance(301_000);
    expect((await ended).done).toBe(true);
  });

  it('includes controllers', async () => {
    await using server = await startTestServer({
      controllers: ['ttl-after-finished', 'garbagecollector'],
      frozenAt: '2030-06-01T00:00:00Z',
    });
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    await server.create({
      ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', namespace: 'default' } },
      ...{ spec: { ttlSecondsAfterFinished: 3600, template } },
    });
    const jobs = createClient(server.client).batch.v1.jobs.in('default');
    const time = server.clock.now().toISOString().replace('.000', '');
    const conditions = [{ type: 'Complete', status: 'True' as const, lastTransitionTime: time }];
    await jobs.subresource('status').patch('j', { status: { startTime: time, completionTime: time, conditions } });
    await server.clock.advance(3_500_000);
    expect((await jobs.list()).items).toHaveLength(1);
    await server.clock.advance(101_000);
    await server.until({ resource: 'jobs', name: 'j', namespace: 'default' }, 'deleted');
  });
});

describe('the end of a server', () => {
  it('leaves no handles, timers and files', async () => {
    const before = process.getActiveResourcesInfo().sort();
    const server = await startTestServer({ controllers: true, definitions: definition });
    const path = server.kubeconfigFile();
    const events = createResourceClient(widgets, server.client).watch();
    const first = events.next();
    await fetch(`${server.url}/readyz`).then((answer) => answer.text());
    await server.dispose();
    await server.dispose();
    await first.catch(() => {});
    expect(existsSync(path)).toBe(false);
    // Lists everything that is still open. The client of this test keeps its own end of a connection for a while.
    const left = (): string[] =>
      process
        .getActiveResourcesInfo()
        .filter((one) => !one.startsWith('TCPSocket'))
        .sort();
    await expect.poll(left).toEqual(before.filter((one) => !one.startsWith('TCPSocket')));
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('is reported by every later use', async () => {
    const server = await startTestServer({ definitions: definition });
    await server.dispose();
    const disposed = 'it has been disposed of';
    await expect(server.resource(widgets).list()).rejects.toThrow(disposed);
    await expect(server.asUser('jane').resource(widgets).list()).rejects.toThrow(disposed);
    await expect(server.create(widget('late'))).rejects.toThrow(disposed);
    await expect(server.until({ resource: 'widgets' }, () => true, { timeoutMs: 20 })).rejects.toThrow(disposed);
    await expect(server.reset()).rejects.toThrow('the test server has been disposed of');
  });

  it('does not affect other servers', async () => {
    const servers = await Promise.all(Array.from({ length: 8 }, () => startTestServer()));
    await Promise.all(servers.map((server, at) => server.create(configMap(`one-${at}`))));
    await Promise.all(servers.slice(1).map((server) => server.dispose()));
    const [first] = servers;
    const { items } = await createClient(first?.client ?? {})
      .core.v1.configMaps.in('default')
      .list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['one-0']);
    expect(new Set(servers.map(({ url }) => url)).size).toBe(8);
    await first?.dispose();
  });
});
