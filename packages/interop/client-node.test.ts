/** Uses the public JavaScript client for Kubernetes against a server with kubernetes names, as its users do. */
import { join } from 'node:path';
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServing } from '../../test/support/serving.js';
import { root } from '../../test/support/shared.js';

/** The longest wait for an event on a busy machine. */
const patience = { timeout: 20_000 };
const namespace = 'default';

let running: ListeningServer;
let config: KubeConfig;
let core: CoreV1Api;
const map = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}): V1ConfigMap => ({
  metadata: { name, labels },
  data,
});
const createMap = (name: string, data?: Record<string, string>, labels?: Record<string, string>) =>
  core.createNamespacedConfigMap({ namespace, body: map(name, data, labels) });
const patchedBy = (strategy: string) => setHeaderOptions('Content-Type', strategy);

/** Resolves to the refusal of a request: the code, and the Status in its body. */
async function refusal(request: Promise<unknown>): Promise<{ readonly code: number; readonly body: unknown }> {
  const error: unknown = await request.catch((reason: unknown) => reason);
  if (!(error instanceof ApiException)) throw new Error(`not refused: ${String(error)}`);
  const body: unknown = error.body;
  return { code: error.code, body: typeof body === 'string' ? JSON.parse(body) : body };
}

describe.each([undefined, 'latest'] as const)('@kubernetes/client-node with release %s', (emulatedVersion) => {
  beforeAll(async () => {
    running = await startServing({
      naming: 'kubernetes',
      schemas: join(root, 'examples/shop/schemas'),
      emulatedVersion,
    });
    config = new KubeConfig();
    config.loadFromOptions({
      // Without it the client refuses servers without TLS.
      clusters: [{ name: 'test', server: running.url, skipTLSVerify: true }],
      users: [{ name: 'test' }],
      contexts: [{ name: 'test', cluster: 'test', user: 'test' }],
      currentContext: 'test',
    });
    core = config.makeApiClient(CoreV1Api);
  });
  afterAll(() => running.stop());

  describe('typed clients', () => {
    it('create, read, replace and delete', async () => {
      const created = await createMap('crud', { a: '1' });
      expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
      const read = await core.readNamespacedConfigMap({ name: 'crud', namespace });
      expect(read.data).toEqual({ a: '1' });
      const body = { ...read, data: { b: '2' } };
      const replaced = await core.replaceNamespacedConfigMap({ name: 'crud', namespace, body });
      expect(replaced.data).toEqual({ b: '2' });
      const stale = await refusal(core.replaceNamespacedConfigMap({ name: 'crud', namespace, body }));
      expect(stale).toMatchObject({ code: 409, body: { kind: 'Status', reason: 'Conflict' } });
      expect(await core.deleteNamespacedConfigMap({ name: 'crud', namespace })).toMatchObject({ status: 'Success' });
      const gone = await refusal(core.readNamespacedConfigMap({ name: 'crud', namespace }));
      expect(gone).toMatchObject({ code: 404, body: { reason: 'NotFound', details: { name: 'crud' } } });
    });

    it('patch with each type of patch', async () => {
      await createMap('patched', { a: '1', b: '1' });
      const patch = (body: unknown, strategy: string, by = {}) =>
        core.patchNamespacedConfigMap({ name: 'patched', namespace, body, ...by }, patchedBy(strategy));
      await patch([{ op: 'replace', path: '/data/a', value: '2' }], PatchStrategy.JsonPatch);
      await patch({ data: { b: null } }, PatchStrategy.MergePatch);
      await patch({ metadata: { finalizers: ['example.com/x'] } }, PatchStrategy.StrategicMergePatch);
      await patch({ metadata: { finalizers: ['example.com/y'] } }, PatchStrategy.StrategicMergePatch);
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'patched' }, data: { c: '3' } };
      const { data, metadata } = await patch(applied, PatchStrategy.ServerSideApply, { fieldManager: 'one' });
      expect(data).toEqual({ a: '2', c: '3' });
      expect(metadata?.finalizers?.sort()).toEqual(['example.com/x', 'example.com/y']);
      const other = patch({ ...applied, data: { c: '4' } }, PatchStrategy.ServerSideApply, { fieldManager: 'two' });
      expect(await refusal(other)).toMatchObject({
        code: 409,
        body: { details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.c' }] } },
      });
      const force = { fieldManager: 'two', force: true };
      const forced = await patch({ ...applied, data: { c: '4' } }, PatchStrategy.ServerSideApply, force);
      expect(forced.data).toEqual({ a: '2', c: '4' });
      expect(forced.metadata?.managedFields?.map(({ manager }) => manager)).toContain('two');
    });

    it('write status and scale separately', async () => {
      const apps = config.makeApiClient(AppsV1Api);
      const labels = { app: 'web' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/web' }] } };
      const body = { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } };
      const web = await apps.createNamespacedDeployment({ namespace, body });
      expect(web.spec).toMatchObject({ replicas: 1, strategy: { rollingUpdate: { maxSurge: '25%' } } });
      const status = { spec: { replicas: 9 }, status: { replicas: 2 } };
      const { spec } = await apps.patchNamespacedDeploymentStatus(
        { name: 'web', namespace, body: status },
        patchedBy(PatchStrategy.MergePatch),
      );
      expect(spec?.replicas).toBe(1);
      const scale = await apps.readNamespacedDeploymentScale({ name: 'web', namespace });
      expect(scale).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 2, selector: 'app=web' } });
      const scaled = { ...scale, spec: { replicas: 5 } };
      await apps.replaceNamespacedDeploymentScale({ name: 'web', namespace, body: scaled });
      expect((await apps.readNamespacedDeployment({ name: 'web', namespace })).spec?.replicas).toBe(5);
    });

    it('make dry runs, and get errors about unknown fields', async () => {
      await core.createNamespacedConfigMap({ namespace, body: map('dry'), dryRun: 'All' });
      expect(await refusal(core.readNamespacedConfigMap({ name: 'dry', namespace }))).toMatchObject({ code: 404 });
      const body = [{ op: 'add', path: '/colour', value: 'red' }];
      await createMap('strict');
      const strict = core.patchNamespacedConfigMap(
        { name: 'strict', namespace, body, fieldValidation: 'Strict' },
        patchedBy(PatchStrategy.JsonPatch),
      );
      const { code, body: refused } = await refusal(strict);
      expect(code).toBe(400);
      expect(refused).toMatchObject({ message: expect.stringContaining('unknown field "colour"') });
    });

    it('list in pages of one revision, and by selectors', async () => {
      const labels = { set: 'paged' };
      for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await createMap(name, {}, labels);
      const names: (string | undefined)[] = [];
      const versions = new Set<string | undefined>();
      let _continue: string | undefined;
      do {
        const token = _continue === undefined ? {} : { _continue };
        const page = await core.listNamespacedConfigMap({ namespace, labelSelector: 'set=paged', limit: 2, ...token });
        names.push(...page.items.map(({ metadata }) => metadata?.name));
        versions.add(page.metadata?.resourceVersion);
        _continue = page.metadata?._continue;
        if (names.length === 2) await createMap('p6', {}, labels);
      } while (_continue);
      expect(names).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
      expect(versions.size).toBe(1);
      const one = await core.listConfigMapForAllNamespaces({ fieldSelector: 'metadata.name=p6' });
      expect(one.items).toHaveLength(1);
      expect(await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'set=paged' })).toMatchObject({
        status: 'Success',
      });
      expect((await core.listNamespacedConfigMap({ namespace, labelSelector: 'set=paged' })).items).toEqual([]);
    });
  });

  describe('watches', () => {
    it('continue from a version', async () => {
      await createMap('before');
      const { metadata } = await core.listNamespacedConfigMap({ namespace });
      const seen: string[] = [];
      let ended: unknown = 'not ended';
      const request = await new Watch(config).watch(
        `/api/v1/namespaces/${namespace}/configmaps`,
        { resourceVersion: metadata?.resourceVersion, allowWatchBookmarks: true },
        (phase, object) => seen.push(`${phase} ${object.metadata.name}`),
        (error) => {
          ended = error;
        },
      );
      await createMap('after');
      await core.deleteNamespacedConfigMap({ name: 'after', namespace });
      await expect.poll(() => seen, patience).toEqual(['ADDED after', 'DELETED after']);
      request.abort();
      await expect.poll(() => ended, patience).not.toBe('not ended');
    });

    it('keep an informer up to date', async () => {
      const labels = { set: 'informed' };
      await createMap('first', {}, labels);
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const selector = 'set=informed';
      const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: selector });
      const informer = makeInformer(config, path, list, selector);
      const seen: string[] = [];
      for (const verb of ['add', 'update', 'delete'] as const) {
        informer.on(verb, ({ metadata, data }) => seen.push(`${verb} ${metadata?.name} ${data?.phase ?? '-'}`));
      }
      await informer.start();
      await expect.poll(() => seen, patience).toEqual(['add first -']);
      await createMap('second', {}, labels);
      await expect.poll(() => seen, patience).toContain('add second -');
      const body = { data: { phase: 'done' } };
      await core.patchNamespacedConfigMap({ name: 'second', namespace, body }, patchedBy(PatchStrategy.MergePatch));
      await core.deleteNamespacedConfigMap({ name: 'first', namespace });
      await expect.poll(() => seen.slice(2), patience).toEqual(['update second done', 'delete first -']);
      expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['second']);
      await informer.stop();
    });
  });

  describe('clients for any kind', () => {
    const group = 'shop.example.com';
    const place = { group, version: 'v1', namespace, plural: 'widgets' };
    const widget = (name: string, spec: object) => ({
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name, namespace },
      spec,
    });

    it('find kinds, and apply objects', async () => {
      const objects = KubernetesObjectApi.makeApiClient(config);
      const created = await objects.create(widget('any', { size: 'small' }));
      expect(created).toMatchObject({ spec: { size: 'small', count: 1 } });
      const changed = widget('any', { size: 'small', colours: ['red'] });
      await objects.patch(changed, undefined, undefined, 'any', true, PatchStrategy.ServerSideApply);
      expect(await objects.read(widget('any', { size: 'small' }))).toMatchObject({
        spec: { count: 1, colours: ['red'] },
      });
      await objects.delete(widget('any', { size: 'small' }));
    });

    it('handle custom objects', async () => {
      const custom = config.makeApiClient(CustomObjectsApi);
      await custom.createNamespacedCustomObject({ ...place, body: widget('custom', { size: 'large', count: 2 }) });
      const one = { ...place, name: 'custom' };
      expect(await custom.getNamespacedCustomObject(one)).toMatchObject({ spec: { count: 2 } });
      const patch = (body: unknown, strategy: string) =>
        custom.patchNamespacedCustomObject({ ...one, body }, patchedBy(strategy));
      await patch({ spec: { colours: ['blue'] } }, PatchStrategy.MergePatch);
      expect(await patch([{ op: 'remove', path: '/spec/count' }], PatchStrategy.JsonPatch)).toMatchObject({
        spec: { count: 1, colours: ['blue'] },
      });
      expect(await refusal(patch({ spec: { count: -1 } }, PatchStrategy.MergePatch))).toMatchObject({
        code: 422,
        body: { details: { causes: [{ field: 'spec.count' }] } },
      });
      expect(await custom.listNamespacedCustomObject(place)).toMatchObject({
        items: [{ metadata: { name: 'custom' } }],
      });
      await custom.deleteNamespacedCustomObject(one);
      expect(await refusal(custom.getNamespacedCustomObject(one))).toMatchObject({ code: 404 });
    });
  });
});
