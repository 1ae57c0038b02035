/** Usual manifests pass all default plugins, in namespaces with limits, quotas and the pods of their workloads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { discoverResources } from '../../../client/index.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isApiObject, isObject, objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { type Answer, askLater } from '../../support/ask.js';
import { servingForTests } from '../../support/serving.js';
import { root } from '../../support/shared.js';

const folder = join(root, 'test/fixtures/applications');
const applications = readdirSync(folder).map((file) => file.replace('.yaml', ''));

const running = servingForTests({ naming: 'kubernetes', authorizationMode: 'AlwaysAllow' });
beforeAll(async () => {
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  for (const [name, annotations] of [['standard', isDefault], ['fast'], ['archive']] as const) {
    const parts = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'example.com/disks' };
    expect((await create({ ...parts, metadata: { name, ...(annotations ? { annotations } : {}) } })).code).toBe(201);
  }
}, 300_000);

const send = askLater(running);

/** Returns the path of the collection that an object belongs to. */
async function pathOf({ apiVersion, kind }: JsonObject, namespace: string): Promise<string> {
  const resources = await discoverResources(running().client());
  const all = resources.filter(
    (one) => one.kind === kind && `${one.group}/${one.version}`.endsWith(String(apiVersion)),
  );
  const [found] = all;
  if (!found) throw new Error(`the server has no ${apiVersion} ${kind}`);
  const base = found.group === '' ? `/api/${found.version}` : `/apis/${found.group}/${found.version}`;
  return found.scope === 'Namespaced' ? `${base}/namespaces/${namespace}/${found.plural}` : `${base}/${found.plural}`;
}

const create = async (object: JsonObject, namespace = ''): Promise<Answer> =>
  send('POST', await pathOf(object, namespace), object);

async function created(object: JsonObject, namespace: string): Promise<JsonObject> {
  const { code, body } = await create(object, namespace);
  expect([code, body.message], JSON.stringify(object.metadata)).toEqual([201, undefined]);
  return body;
}

const hard = {
  pods: '50',
  'requests.cpu': '20',
  'limits.memory': '100Gi',
  'requests.storage': '500Gi',
  services: '10',
  'services.loadbalancers': '2',
  'count/deployments.apps': '5',
  'count/gardens.plants.example.com': '1',
};

/** Makes a namespace with limits and a quota. */
async function prepare(namespace: string): Promise<void> {
  await created({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, '');
  const limits = [
    { type: 'Container', default: { cpu: '1', memory: '512Mi' }, defaultRequest: { cpu: '50m', memory: '64Mi' } },
  ];
  await created({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'bounds' }, spec: { limits } }, namespace);
  await created({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard } }, namespace);
  await expect.poll(async () => Object.keys(await usedIn(namespace)).length, { timeout: 30_000 }).toBe(8);
}

const usedIn = async (namespace: string): Promise<JsonObject> =>
  objectAt(
    objectAt((await send('GET', `/api/v1/namespaces/${namespace}/resourcequotas/team`)).body, 'status'),
    'used',
  ) ?? {};

/** Returns the pod template of a workload. */
function templateOf({ kind, spec }: JsonObject): JsonObject | undefined {
  const own = isObject(spec) ? spec : undefined;
  const holder = kind === 'CronJob' ? objectAt(objectAt(own, 'jobTemplate'), 'spec') : own;
  return objectAt(holder, 'template');
}

/** Makes the first pod of a workload and its claims, as its controller would. */
function partsOf(workload: JsonObject): { readonly claims: JsonObject[]; readonly pod?: JsonObject } {
  const template = templateOf(workload);
  const name = `${stringAt(objectAt(workload, 'metadata'), 'name')}-0`;
  const templates = objectsAt(objectAt(workload, 'spec'), 'volumeClaimTemplates');
  const claims = templates.map((claim) => {
    const metadata = objectAt(claim, 'metadata');
    const claimName = `${stringAt(metadata, 'name')}-${name}`;
    return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim, metadata: { ...metadata, name: claimName } };
  });
  if (!template) return { claims };
  const spec = objectAt(template, 'spec') ?? {};
  const volumes = templates.map((claim, i) => ({
    name: stringAt(objectAt(claim, 'metadata'), 'name'),
    persistentVolumeClaim: { claimName: stringAt(objectAt(claims[i], 'metadata'), 'name') },
  }));
  const metadata = { ...objectAt(template, 'metadata'), name };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata };
  return { claims, pod: { ...pod, spec: { ...spec, volumes: [...objectsAt(spec, 'volumes'), ...volumes] } } };
}

/** Checks the fields that default plugins give every pod. */
function expectCompleted(pod: JsonObject): void {
  const spec = objectAt(pod, 'spec');
  expect(spec?.serviceAccountName).toBeTruthy();
  expect(spec?.priority).toEqual(expect.any(Number));
  expect(objectsAt(spec, 'tolerations').length).toBeGreaterThan(0);
  for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
    expect(objectAt(objectAt(container, 'resources'), 'requests')).toMatchObject({
      cpu: expect.any(String),
      memory: expect.any(String),
    });
  }
}

describe('the manifests of applications', () => {
  it('are at least ten', () => expect(applications.length).toBeGreaterThanOrEqual(10));

  it.each(applications)('pass: %s', { timeout: 120_000 }, async (application) => {
    const namespace = `app-${application}`;
    await prepare(namespace);
    const documents = loadAll(readFileSync(join(folder, `${application}.yaml`), 'utf8')).filter(isApiObject);
    expect(documents.length).toBeGreaterThan(2);
    let pods = 0;
    for (const document of documents) {
      if (document.apiVersion === 'plants.example.com/v1') {
        await expect.poll(() => pathOf(document, namespace).catch(() => ''), { timeout: 30_000 }).not.toBe('');
      }
      const stored = await created(document, namespace);
      const { claims, pod } = partsOf(stored);
      for (const claim of claims) await created(claim, namespace);
      for (const one of [pod, stored.kind === 'Pod' ? stored : undefined]) if (one) pods++;
      if (pod) expectCompleted(await created(pod, namespace));
      const place = `${await pathOf(document, namespace)}/${document.metadata.name}`;
      const { metadata: _, ...same } = stored;
      const { body } = await send('GET', place);
      const again = await send('PUT', place, { ...body, ...same });
      expect([again.code, again.body.message], place).toEqual([200, undefined]);
    }
    const services = documents.filter(({ kind }) => kind === 'Service').length;
    await expect
      .poll(() => usedIn(namespace), { timeout: 30_000 })
      .toMatchObject({ pods: String(pods), services: String(services) });
  });
});
