/** Definitions posted to a running server. Their resources are served at once, last, and are removed with them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isTrue } from '../../runtime/objects/definition-conditions.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { ask } from '../support/ask.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { expectGone, hasKubectl, type Kubectl, kubectlFor, printed } from '../support/kubectl.js';
import { testFolder } from '../support/scratch-folder.js';
import { startServe } from '../support/serve-process.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const lamps = '/apis/home.example.com/v1/namespaces/default/lamps';

/** Makes a definition of lamps with these additions to its spec. */
const definition = (spec: JsonObject = {}, properties: JsonObject = { watts: { type: 'integer', default: 5 } }) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.home.example.com' },
  spec: {
    group: 'home.example.com',
    scope: 'Namespaced',
    names: { plural: 'lamps', kind: 'Lamp', shortNames: ['lp'] },
    versions: [version('v1', true, properties)],
    ...spec,
  },
});

const version = (name: string, storage: boolean, properties: JsonObject): JsonObject => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', default: {}, properties } } },
  },
});

const lamp = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'home.example.com/v1',
  kind: 'Lamp',
  metadata: { name, ...metadata },
  spec,
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not in time: ${holds}`);
    await sleep(20);
  }
}

/** Posts a definition and waits until it is established. */
async function define(url: string, body: JsonObject): Promise<void> {
  expect(await ask({ url }, 'POST', definitions, body)).toMatchObject({ code: 201 });
  const name = stringAt(objectAt(body, 'metadata'), 'name');
  await until(async () => {
    const { body: found } = await ask({ url }, 'GET', `${definitions}/${name}`);
    return isTrue(objectAt(found, 'status'), 'Established');
  });
}

const isGone = async (url: string, path: string): Promise<boolean> => (await ask({ url }, 'GET', path)).code === 404;

describe('a definition', () => {
  let running: ListeningServer;
  let url: string;
  beforeEach(async () => {
    running = await startServing({ naming: 'kubernetes', controllers: 'none' });
    url = running.url;
  });
  afterEach(() => running.stop());

  it('appears in discovery and in the OpenAPI documents, and disappears from both', async () => {
    const before = await fetch(`${url}/openapi/v2`);
    await define(url, definition());
    expect((await ask({ url }, 'GET', '/apis/home.example.com/v1')).body).toMatchObject({
      resources: [{ name: 'lamps', shortNames: ['lp'] }],
    });
    expect((await fetch(`${url}/openapi/v2`)).headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect((await ask({ url }, 'GET', '/openapi/v3')).body.paths).toHaveProperty(['apis/home.example.com/v1']);
    await ask({ url }, 'DELETE', `${definitions}/lamps.home.example.com`);
    await until(() => isGone(url, '/apis/home.example.com'));
    expect((await fetch(`${url}/openapi/v2`)).headers.get('etag')).toBe(before.headers.get('etag'));
    expect((await ask({ url }, 'GET', '/openapi/v3')).body.paths).not.toHaveProperty(['apis/home.example.com/v1']);
  });

  it('applies to stored objects when its schema changes', async () => {
    await define(url, definition());
    await ask({ url }, 'POST', lamps, lamp('desk', { watts: 7 }));
    const changed = definition({}, { watts: { type: 'integer' }, colour: { type: 'string', default: 'white' } });
    await ask({ url }, 'PATCH', `${definitions}/lamps.home.example.com`, { spec: { versions: changed.spec.versions } });
    expect((await ask({ url }, 'GET', `${lamps}/desk`)).body.spec).toEqual({ watts: 7, colour: 'white' });
    const without = definition({}, { colour: { type: 'string' } });
    await ask({ url }, 'PATCH', `${definitions}/lamps.home.example.com`, { spec: { versions: without.spec.versions } });
    expect((await ask({ url }, 'GET', lamps)).body).toMatchObject({ items: [{ spec: {} }] });
  });

  it('may serve and store other versions later', async () => {
    await define(url, definition());
    await ask({ url }, 'POST', lamps, lamp('desk', { watts: 7 }));
    const versions = [
      version('v1', false, { watts: { type: 'integer' } }),
      version('v2', true, { watts: { type: 'integer' } }),
    ];
    await ask({ url }, 'PATCH', `${definitions}/lamps.home.example.com`, { spec: { versions } });
    const newer = lamps.replace('/v1/', '/v2/');
    expect((await ask({ url }, 'GET', `${newer}/desk`)).body).toMatchObject({
      apiVersion: 'home.example.com/v2',
      spec: { watts: 7 },
    });
    expect((await ask({ url }, 'GET', `${lamps}/desk`)).body.apiVersion).toBe('home.example.com/v1');
    const { body } = await ask({ url }, 'GET', `${definitions}/lamps.home.example.com`);
    expect(objectAt(body, 'status')?.storedVersions).toEqual(['v1', 'v2']);
  });

  it('gets names when other definitions release them', async () => {
    await define(url, definition());
    const other = {
      ...definition({ names: { plural: 'lights', kind: 'Lamp' } }),
      metadata: { name: 'lights.home.example.com' },
    };
    await ask({ url }, 'POST', definitions, other);
    await until(async () => {
      const { body } = await ask({ url }, 'GET', `${definitions}/lights.home.example.com`);
      return JSON.stringify(body.status).includes('KindConflict');
    });
    expect(await ask({ url }, 'GET', '/apis/home.example.com/v1/lights')).toMatchObject({ code: 404 });
    await ask({ url }, 'DELETE', `${definitions}/lamps.home.example.com`);
    await until(async () => (await ask({ url }, 'GET', '/apis/home.example.com/v1/lights')).code === 200);
  });

  it('never replaces a built-in kind', async () => {
    const taken = {
      ...definition({ group: 'networking.k8s.io', names: { plural: 'ingresses', kind: 'Lamp' } }),
      metadata: { name: 'ingresses.networking.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved' } },
    };
    expect((await ask({ url }, 'POST', definitions, taken)).code).toBe(201);
    await until(async () => {
      const { body } = await ask({ url }, 'GET', `${definitions}/ingresses.networking.k8s.io`);
      return JSON.stringify(body.status).includes('PluralConflict');
    });
    const ingresses = '/apis/networking.k8s.io/v1/ingresses';
    expect((await ask({ url }, 'GET', ingresses)).body.kind).toBe('IngressList');
    await ask({ url }, 'DELETE', `${definitions}/ingresses.networking.k8s.io`);
    await until(() => isGone(url, `${definitions}/ingresses.networking.k8s.io`));
    expect((await ask({ url }, 'GET', ingresses)).body.kind).toBe('IngressList');
  });

  it('stays until its last object is deleted, and ends their watches', async () => {
    await define(url, definition());
    await ask({ url }, 'POST', lamps, lamp('free'));
    await ask({ url }, 'POST', lamps, lamp('held', {}, { finalizers: ['example.com/hold'] }));
    const watch = await fetch(`${url}${lamps}?watch=1&resourceVersion=${running.store.revision}`);
    const seen = watch.text();
    const deleted = await ask({ url }, 'DELETE', `${definitions}/lamps.home.example.com`);
    expect(deleted.body.metadata).toMatchObject({ finalizers: ['customresourcecleanup.apiextensions.k8s.io'] });
    await until(() => isGone(url, `${lamps}/free`));
    expect(await ask({ url }, 'POST', lamps, lamp('late'))).toMatchObject({
      code: 405,
      body: { message: 'create not allowed while custom resource definition is terminating' },
    });
    expect((await ask({ url }, 'GET', `${lamps}/held`)).body.metadata).toHaveProperty('deletionTimestamp');
    await ask({ url }, 'PATCH', `${lamps}/held`, { metadata: { finalizers: null } });
    await until(() => isGone(url, `${definitions}/lamps.home.example.com`));
    const events = (await seen)
      .trim()
      .split('\n')
      .map((line): JsonObject => JSON.parse(line));
    expect(events.map(({ type, object }) => `${type} ${JSON.stringify(object).match(/"name":"(\w+)"/)?.[1]}`)).toEqual([
      'DELETED free',
      'MODIFIED held',
      'DELETED held',
    ]);
    await define(url, definition());
    expect((await ask({ url }, 'GET', lamps)).body.items).toEqual([]);
  });
});

describe.skipIf(!hasKubectl)('kubectl and definitions (skipped if it is not installed)', () => {
  let running: ListeningServer;
  let kubectl: Kubectl;
  beforeAll(async () => {
    running = await startServing({ naming: 'kubernetes', controllers: 'none' });
    kubectl = kubectlFor(running.url);
  });
  afterAll(async () => {
    kubectl?.close();
    await running?.stop();
  });

  it('work together in all commands', async () => {
    const columns = [{ name: 'Watts', type: 'integer', jsonPath: '.spec.watts' }];
    const [first] = definition().spec.versions;
    const body = definition({ versions: [{ ...first, additionalPrinterColumns: columns }] });
    printed(await kubectl.pipe(JSON.stringify(body), 'create', '-f', '-'));
    printed(await kubectl.run('wait', '--for', 'condition=established', 'crd/lamps.home.example.com'));
    expect(printed(await kubectl.run('explain', 'lamps.spec'))).toContain('watts');
    printed(await kubectl.pipe(JSON.stringify(lamp('desk', { watts: 9 })), 'apply', '-f', '-'));
    printed(
      await kubectl.pipe(
        JSON.stringify(lamp('desk', { watts: 8 })),
        'apply',
        '--server-side',
        '--force-conflicts',
        '-f',
        '-',
      ),
    );
    expect(printed(await kubectl.run('get', 'lp'))).toMatch(/NAME +WATTS\ndesk +8\n/);
    const refused = await kubectl.pipe(JSON.stringify(lamp('wall', { watts: 'many' })), 'apply', '-f', '-');
    expect(refused.err).toContain('spec.watts');
    expectGone(await kubectl.run('delete', 'crd', 'lamps.home.example.com'));
    expect((await kubectl.run('get', 'lamps')).code).toBe(1);
  });
});

describe('a crash', () => {
  let folder: string;
  beforeEach(async () => {
    folder = testFolder();
  });

  it('loses neither definitions nor their objects', async () => {
    const flags = ['--naming', 'kubernetes', '--storage', `lmdb:${folder}`];
    const first = await startServe(...flags);
    await define(first.url, definition());
    await ask(first, 'POST', lamps, lamp('desk', { watts: 7 }));
    await first.kill();
    const second = await startServe(...flags);
    expect((await ask(second, 'GET', `${lamps}/desk`)).body.spec).toEqual({ watts: 7 });
    expect((await ask(second, 'POST', lamps, lamp('wall'))).body.spec).toEqual({ watts: 5 });
    await second.kill();
  });
});

describe.runIf(hasEtcd)(`two servers over one ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd?.dispose());

  it('serve the same definitions', async () => {
    const start = () =>
      startServing({ naming: 'kubernetes', storage: `etcd:${etcd.endpoints.join(',')}?prefix=definitions` });
    const [a, b] = await Promise.all([start(), start()]);
    await define(a.url, definition());
    expect(await ask(b, 'POST', lamps, lamp('desk'))).toMatchObject({ code: 201, body: { spec: { watts: 5 } } });
    expect((await ask(a, 'GET', `${lamps}/desk`)).code).toBe(200);
    const changed = definition({}, { watts: { type: 'integer', maximum: 9 } });
    await ask(b, 'PATCH', `${definitions}/lamps.home.example.com`, { spec: { versions: changed.spec.versions } });
    expect((await ask(a, 'POST', lamps, lamp('bright', { watts: 10 }))).code).toBe(422);
    await ask(b, 'DELETE', `${definitions}/lamps.home.example.com`);
    await until(() => isGone(a.url, lamps));
    await until(() => isGone(b.url, lamps));
    await Promise.all([a.stop(), b.stop()]);
  });
});
