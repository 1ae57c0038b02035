/**
 * Dry runs of every way to write. The server answers as to the write, but does not store, announce or allocate
 * anything.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { platformNaming } from '../../runtime/objects/names/naming.js';
import { askLater } from '../support/ask.js';
import { servingForTests } from '../support/serving.js';

const inNamespace = '/api/v1/namespaces/dry';
const configMaps = `${inNamespace}/configmaps`;
const pods = `${inNamespace}/pods`;
const services = `${inNamespace}/services`;
const deployments = '/apis/apps/v1/namespaces/dry/deployments';
const reviews = '/apis/authorization.platform.io/v1/subjectaccessreviews';

const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const applied = 'application/apply-patch+yaml';

const configMap = (name: string, data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const containers = [{ name: 'main', image: 'example.com/main' }];
const pod = (name: string): JsonObject => ({ metadata: { name }, spec: { containers } });
const labels = { app: 'dry' };
const deployment: JsonObject = {
  metadata: { name: 'run' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
};
const binding: JsonObject = { metadata: { name: 'one' }, target: { kind: 'Node', name: 'somewhere' } };
const eviction: JsonObject = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'one' } };
const exposed: JsonObject = { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30077 }] };
const review: JsonObject = { spec: { user: 'someone', resourceAttributes: { verb: 'get', resource: 'pods' } } };
const debugging = { spec: { ephemeralContainers: [{ name: 'debug', image: 'example.com/debug' }] } };

const running = servingForTests({
  authorizationMode: 'AlwaysAllow',
  controllers: 'none',
  serviceClusterIpRange: '10.0.0.0/24',
});
beforeAll(async () => {
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'dry' } });
  await ask('POST', `${inNamespace}/serviceaccounts`, { metadata: { name: 'default' } });
  await vi.waitUntil(isCalm, { interval: 1, timeout: 60_000 });
}, 300_000);

const ask = askLater(running);

/** Returns the revision of the whole store. If it did not change, no watcher has seen a change either. */
const revision = async (): Promise<string> =>
  stringAt(objectAt((await ask('GET', `${configMaps}?limit=1`)).body, 'metadata'), 'resourceVersion');

/** Reports whether the server has finished the writes of its start. */
async function isCalm(): Promise<boolean> {
  const before = await revision();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { namespaces, wellKnown } = platformNaming;
  const { code } = await ask(
    'GET',
    `/api/v1/namespaces/${namespaces.system}/configmaps/${wellKnown.legacyTokenTracking}`,
  );
  return code === 200 && (await revision()) === before;
}

describe('a dry run answers as the write does and changes nothing', () => {
  // The test makes each write for good after its dry run, and later writes build on it.
  it.each<[what: string, code: number, method: string, path: string, body?: JsonValue, type?: string]>([
    ['create', 201, 'POST', configMaps, configMap('one', { a: '1' })],
    ['create with a generated name', 201, 'POST', configMaps, { metadata: { generateName: 'some-' } }],
    ['update', 200, 'PUT', `${configMaps}/one`, configMap('one', { a: '2' })],
    ['merge patch', 200, 'PATCH', `${configMaps}/one`, { data: { b: '1' } }, merge],
    ['JSON patch', 200, 'PATCH', `${configMaps}/one`, [{ op: 'add', path: '/data/c', value: '1' }], jsonPatch],
    ['strategic patch', 200, 'PATCH', `${configMaps}/one`, { data: { d: '1' } }, strategic],
    ['apply', 200, 'PATCH', `${configMaps}/one?fieldManager=x`, configMap('one', { e: '1' }), applied],
    ['apply that creates', 201, 'PATCH', `${configMaps}/two?fieldManager=x`, configMap('two', {}), applied],
    ['delete', 200, 'DELETE', `${configMaps}/two`],
    ['delete of a collection', 200, 'DELETE', configMaps],
    ['deployment', 201, 'POST', deployments, deployment],
    ['scale', 200, 'PATCH', `${deployments}/run/scale`, { spec: { replicas: 3 } }, merge],
    ['status', 200, 'PATCH', `${deployments}/run/status`, { status: { replicas: 3 } }, merge],
    ['service', 201, 'POST', services, { metadata: { name: 'one' }, spec: exposed }],
    ['pod', 201, 'POST', pods, pod('one')],
    ['ephemeral containers', 200, 'PATCH', `${pods}/one/ephemeralcontainers`, debugging, strategic],
    ['binding', 201, 'POST', `${pods}/one/binding`, binding],
    ['eviction', 201, 'POST', `${pods}/one/eviction`, eviction],
    ['token', 201, 'POST', `${inNamespace}/serviceaccounts/default/token`, { spec: {} }],
    ['review', 201, 'POST', reviews, review],
  ])('%s', async (_what, code, method, path, body, type) => {
    const before = await revision();
    const dry = await ask(method, `${path}${path.includes('?') ? '&' : '?'}dryRun=All`, body, type);
    expect([dry.code, await revision()]).toEqual([code, before]);
    expect((await ask(method, path, body, type)).code).toBe(code);
  });
});

describe('addresses and ports', () => {
  const again = (name: string, spec: JsonObject) => ask('POST', services, { metadata: { name }, spec });

  it('keep their owner after a dry run of a delete or change', async () => {
    await again('one', exposed);
    expect((await ask('DELETE', `${services}/one?dryRun=All`)).code).toBe(200);
    expect((await again('two', { clusterIP: '10.0.0.77', ports: [{ port: 80 }] })).code).toBe(422);
    const inward = { spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: null }] } };
    expect((await ask('PATCH', `${services}/one?dryRun=All`, inward, merge)).code).toBe(200);
    expect((await again('two', { type: 'NodePort', ports: [{ port: 80, nodePort: 30077 }] })).code).toBe(422);
  });
});
