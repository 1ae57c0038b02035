/** Admission policies take effect on every server at their write, and from the first request after a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { testFolder } from '../support/scratch-folder.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { type ListeningServer, type ServingFlags, startServing } from '../support/serving.js';

const policies: ServingFlags = {
  featureGates: 'ValidatingAdmissionPolicy=true',
  runtimeConfig: 'admissionregistration.platform.io/v1alpha1',
};
const flags = ['--feature-gates', `${policies.featureGates}`, '--runtime-config', `${policies.runtimeConfig}`];
const group = '/apis/admissionregistration.platform.io/v1alpha1';

/** Sends a write, and resolves to its code. */
async function send({ url }: Pick<ServeProcess, 'url'>, method: string, path: string, body?: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  await answer.arrayBuffer();
  return answer.status;
}

/** Writes a policy that forbids ConfigMaps of the same name. */
async function forbid(server: Pick<ServeProcess, 'url'>, name: string): Promise<void> {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: `object.metadata.name != '${name}'` }],
  };
  expect(await send(server, 'POST', `${group}/validatingadmissionpolicies`, { metadata: { name }, spec })).toBe(201);
  const binding = { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } };
  expect(await send(server, 'POST', `${group}/validatingadmissionpolicybindings`, binding)).toBe(201);
}

const create = (server: Pick<ServeProcess, 'url'>, name: string): Promise<number> =>
  send(server, 'POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name } });

describe('policies of a durable server', () => {
  it('are in force for the first write after a restart', async () => {
    const folder = testFolder();
    const start = (): Promise<ServeProcess> => startServe('--storage', `lmdb:${folder}`, ...flags);
    const first = await start();
    await forbid(first, 'unwanted');
    expect([await create(first, 'unwanted'), await create(first, 'wanted')]).toEqual([422, 201]);
    await first.kill();
    const second = await start();
    expect([await create(second, 'unwanted'), await create(second, 'wanted')]).toEqual([422, 201]);
    await second.kill();
  }, 300_000);
});

describe('policies on kinds that are defined in the running server', () => {
  const define = (plural: string, kind: string, versions: readonly string[] = ['v1']) => ({
    apiVersion: 'apiextensions.platform.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.home.example.com` },
    spec: {
      group: 'home.example.com',
      scope: 'Cluster',
      names: { plural, kind },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', properties: { watts: { type: 'integer' } } } },
      })),
    },
  });
  const definitions = '/apis/apiextensions.platform.io/v1/customresourcedefinitions';
  const home = '/apis/home.example.com';
  const object = (version: string, kind: string, name: string, watts: number) => ({
    apiVersion: `home.example.com/${version}`,
    kind,
    metadata: { name },
    watts,
  });

  it('are in force when kinds and parameters appear, change and disappear', async () => {
    const server = await startServing(policies);
    const light = (version: string, watts: number): Promise<number> =>
      send(server, 'POST', `${home}/${version}/lamps?dryRun=All`, object(version, 'Lamp', 'l', watts));
    const becomes = (act: () => Promise<number>, code: number) =>
      expect.poll(act, { timeout: 30_000, interval: 100 }).toBe(code);
    // The policy exists before the kinds that it is about.
    const rule = { apiGroups: ['home.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['lamps'] };
    const spec = {
      paramKind: { apiVersion: 'home.example.com/v1', kind: 'Limit' },
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: 'object.watts <= params.watts' }],
    };
    await send(server, 'POST', `${group}/validatingadmissionpolicies`, { metadata: { name: 'limit' }, spec });
    await send(server, 'POST', `${group}/validatingadmissionpolicybindings`, {
      metadata: { name: 'limit' },
      spec: { policyName: 'limit', paramRef: { name: 'house' }, validationActions: ['Deny'] },
    });
    expect(await send(server, 'POST', definitions, define('lamps', 'Lamp'))).toBe(201);
    // Without the kind of its parameters, a policy refuses all requests that it matches.
    await becomes(() => light('v1', 5), 422);
    expect(await send(server, 'POST', definitions, define('limits', 'Limit'))).toBe(201);
    await becomes(() => send(server, 'POST', `${home}/v1/limits`, object('v1', 'Limit', 'house', 10)), 201);
    expect([await light('v1', 5), await light('v1', 50)]).toEqual([201, 422]);
    // A new version shows the same objects, and the policy applies to it too.
    const merge = { 'content-type': 'application/merge-patch+json' };
    const body = JSON.stringify({ spec: define('lamps', 'Lamp', ['v1', 'v2']).spec });
    await fetch(`${server.url}${definitions}/lamps.home.example.com`, { method: 'PATCH', headers: merge, body });
    await becomes(() => light('v2', 5), 201);
    expect([await light('v2', 50), await light('v1', 50)]).toEqual([422, 422]);
    await send(server, 'DELETE', `${definitions}/limits.home.example.com`);
    await becomes(() => light('v2', 5), 422);
    await server.stop();
  }, 180_000);
});

describe('policies that compare', () => {
  const always = [
    'object == object',
    '[object] == [object] && object in [object]',
    "{'a': object} == {'a': object}",
    'object.metadata == object.metadata',
    'object.metadata.all(k, object.metadata[k] == object.metadata[k])',
    'object.metadata.map(k, k).size() == object.metadata.size()',
    'request == request',
    'oldObject == null || (oldObject != object && oldObject == oldObject && !(oldObject in [object]))',
    'oldObject == null || (oldObject.data == object.data && oldObject.data in [object.data])',
  ];

  it('find an object equal to itself in every operation', async () => {
    const server = await startServing(policies);
    const operations = ['CREATE', 'UPDATE', 'DELETE'];
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] };
    const validations = always.map((expression) => ({ expression: `object == null || (${expression})` }));
    const spec = { matchConstraints: { resourceRules: [rule] }, validations };
    expect(
      await send(server, 'POST', `${group}/validatingadmissionpolicies`, { metadata: { name: 'same' }, spec }),
    ).toBe(201);
    const bound = { policyName: 'same', validationActions: ['Deny'] };
    await send(server, 'POST', `${group}/validatingadmissionpolicybindings`, {
      metadata: { name: 'same' },
      spec: bound,
    });
    const maps = '/api/v1/namespaces/default/configmaps';
    const map = { metadata: { name: 'a' }, data: { b: 'c' } };
    expect(await send(server, 'POST', maps, map)).toBe(201);
    const labelled = { ...map, metadata: { name: 'a', labels: { d: 'e' } } };
    expect(await send(server, 'PUT', `${maps}/a`, labelled)).toBe(200);
    expect(await send(server, 'PUT', `${maps}/a`, { ...labelled, data: { b: 'f' } })).toBe(422);
    expect(await send(server, 'DELETE', `${maps}/a`)).toBe(200);
    await server.stop();
  }, 180_000);
});

describe.runIf(hasEtcd)(`policies of two servers over one ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let servers: readonly ListeningServer[] = [];
  beforeAll(async () => {
    etcd = await startEtcd();
    const start = () => startServing({ ...policies, storage: `etcd:${etcd.endpoints.join(',')}?prefix=policies` });
    servers = await Promise.all([start(), start()]);
  }, 300_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await etcd?.dispose();
  });

  it('are in force on the other server for the next write', async () => {
    const [a, b] = servers;
    if (!a || !b) return expect(servers).toHaveLength(2);
    for (let round = 0; round < 10; round++) {
      const [writer, other] = round % 2 ? [a, b] : [b, a];
      const name = `unwanted-${round}`;
      expect(await create(other, name)).toBe(201);
      await forbid(writer, name);
      expect(await create(other, name)).toBe(422);
      expect(await send(other, 'DELETE', `${group}/validatingadmissionpolicybindings/${name}`)).toBe(200);
      expect(await create(writer, name)).toBe(201);
    }
  }, 300_000);
});
