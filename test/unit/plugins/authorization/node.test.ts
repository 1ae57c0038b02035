import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { defineNode } from '../../../../plugins/index.js';
import type { Authorizer, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { testAuthorizer } from '../../../support/authorizer-suite.js';
import { followIn } from '../../../support/follow-in.js';

const readAttributes = () => ({ labels: {}, fields: {} });
const stores: { close(): Promise<void> }[] = [];
const open = async () => {
  const store = await openStore({ backend: memoryBackend(), readAttributes });
  stores.push(store);
  return store;
};
afterAll(() => Promise.all(stores.map((store) => store.close())));

const rules = [
  { verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes'], resourceNames: [], nonResourceURLs: [] },
];
const nodeA = { name: 'system:node:a', uid: '', groups: ['system:nodes'], extra: {} };
const nodeB = { ...nodeA, name: 'system:node:b' };

let store: Awaited<ReturnType<typeof open>>;
let authorizer: Authorizer;
beforeEach(async () => {
  store = await open();
  authorizer = defineNode({ follow: followIn(store), names: platformNaming, rules });
});

/** Puts an object, or removes it if `object` is undefined. */
async function put(prefix: string, name: string, object?: JsonObject): Promise<void> {
  const key = `${prefix}/${name}`;
  const metadata = { resourceVersion: '', name, ...(object?.metadata as JsonObject | undefined) };
  const text = JSON.stringify({ ...object, metadata });
  const revisionAt = text.indexOf('"resourceVersion":"') + '"resourceVersion":"'.length;
  const next = { text, revisionAt, attributes: readAttributes() };
  const commit = await store.commit({ key, expected: store.get(key)?.revision ?? 0, ...(object ? { next } : {}) });
  expect(commit.outcome).toBe('committed');
}

const putPod = (name: string, spec?: JsonObject, metadata: JsonObject = {}) =>
  put('/pods/n', name, spec && { metadata, spec });

async function mayGet(user: typeof nodeA, resource: string, name: string, group = ''): Promise<boolean> {
  const namespace = ['persistentvolumes', 'volumeattachments'].includes(resource) ? '' : 'n';
  const decision = await authorizer.decide({ user, verb: 'get', group, resource, namespace, name });
  return decision.decision === 'allow';
}

const mayMakeToken = async (name: string): Promise<boolean> =>
  (
    await authorizer.decide({
      user: nodeA,
      verb: 'create',
      group: '',
      resource: 'serviceaccounts',
      subresource: 'token',
      namespace: 'n',
      name,
    })
  ).decision === 'allow';

describe('the authorizer', async () => {
  testAuthorizer({
    authorizer: defineNode({ follow: followIn(await open()), names: platformNaming, rules }),
    allowed: { user: nodeA, verb: 'get', group: '', resource: 'nodes' },
    refused: { user: nodeA, verb: 'get', group: '', resource: 'secrets', namespace: 'n', name: 's' },
  });
});

const secretKey = (name: string) => ({ valueFrom: { secretKeyRef: { name, key: 'k' } } });
const container = (more: JsonObject) => [{ name: 'c', ...more }];

describe('a node may get the objects that its pods refer to', () => {
  it.each<[string, string, JsonObject]>([
    ['secrets', 's', { imagePullSecrets: [{ name: 's' }] }],
    ['secrets', 's', { containers: container({ env: [secretKey('s')] }) }],
    ['secrets', 's', { initContainers: container({ env: [secretKey('s')] }) }],
    ['secrets', 's', { ephemeralContainers: container({ envFrom: [{ secretRef: { name: 's' } }] }) }],
    ['secrets', 's', { volumes: [{ secret: { secretName: 's' } }] }],
    ['secrets', 's', { volumes: [{ azureFile: { secretName: 's' } }] }],
    ['secrets', 's', { volumes: [{ csi: { nodePublishSecretRef: { name: 's' } } }] }],
    ['secrets', 's', { volumes: [{ cephfs: { secretRef: { name: 's' } } }] }],
    ['secrets', 's', { volumes: [{ projected: { sources: [{ secret: { name: 's' } }] } }] }],
    ['configmaps', 'm', { containers: container({ envFrom: [{ configMapRef: { name: 'm' } }] }) }],
    ['configmaps', 'm', { containers: container({ env: [{ valueFrom: { configMapKeyRef: { name: 'm' } } }] }) }],
    ['configmaps', 'm', { volumes: [{ configMap: { name: 'm' } }] }],
    ['configmaps', 'm', { volumes: [{ projected: { sources: [{ configMap: { name: 'm' } }] } }] }],
    ['persistentvolumeclaims', 'c', { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] }],
    ['persistentvolumeclaims', 'p-v', { volumes: [{ name: 'v', ephemeral: {} }] }],
  ])('%s %s of %j', async (resource, name, spec) => {
    await putPod('p', { nodeName: 'a', ...spec });
    expect(await mayGet(nodeA, resource, name)).toBe(true);
    expect(await mayGet(nodeB, resource, name)).toBe(false);
    await putPod('p');
    expect(await mayGet(nodeA, resource, name)).toBe(false);
  });

  it.each([
    ['r', { name: 'x', source: { resourceClaimName: 'r' } }],
    ['p-x', { name: 'x', source: { resourceClaimTemplateName: 't' } }],
  ])('the resource claim %s', async (name, claim) => {
    await putPod('p', { nodeName: 'a', resourceClaims: [claim] });
    expect(await mayGet(nodeA, 'resourceclaims', name, 'resource.platform.io')).toBe(true);
  });

  it('and make tokens for their service accounts', async () => {
    await putPod('p', { nodeName: 'a', serviceAccountName: 'runner' });
    expect([await mayMakeToken('runner'), await mayMakeToken('default')]).toEqual([true, false]);
    await putPod('q', { nodeName: 'a' });
    expect(await mayMakeToken('default')).toBe(true);
  });
});

describe('pods', () => {
  const spec = { nodeName: 'a', imagePullSecrets: [{ name: 's' }] };

  it('grant nothing without a node', async () => {
    await putPod('p', { ...spec, nodeName: '' });
    expect(await mayGet(nodeA, 'secrets', 's')).toBe(false);
    await putPod('p', spec);
    expect(await mayGet(nodeA, 'secrets', 's')).toBe(true);
  });

  it('grant nothing if the node made them itself', async () => {
    await putPod('p', spec, { annotations: { 'platform.io/config.mirror': 'x' } });
    expect(await mayGet(nodeA, 'secrets', 's')).toBe(false);
  });

  it('share their references until the last of them is gone', async () => {
    await putPod('p', spec);
    await putPod('q', spec);
    await putPod('r', { ...spec, nodeName: 'b' });
    await putPod('p');
    expect([await mayGet(nodeA, 'secrets', 's'), await mayGet(nodeB, 'secrets', 's')]).toEqual([true, true]);
    await putPod('q');
    expect([await mayGet(nodeA, 'secrets', 's'), await mayGet(nodeB, 'secrets', 's')]).toEqual([false, true]);
  });

  it('grant the references of a new container', async () => {
    await putPod('p', spec);
    await putPod('p', { ...spec, ephemeralContainers: container({ env: [secretKey('t')] }) });
    expect([await mayGet(nodeA, 'secrets', 's'), await mayGet(nodeA, 'secrets', 't')]).toEqual([true, true]);
  });

  it('that existed before the server count', async () => {
    await putPod('p', spec);
    authorizer = defineNode({ follow: followIn(store), names: platformNaming, rules });
    expect(await mayGet(nodeA, 'secrets', 's')).toBe(true);
  });

  it('grant nothing in another namespace', async () => {
    await put('/pods/other', 'p', { spec });
    expect(await mayGet(nodeA, 'secrets', 's')).toBe(false);
  });
});

describe('a node that selects', () => {
  const decide = async (question: object, user = nodeA) =>
    authorizer.decide({ user, group: '', resource: 'pods', verb: 'list', ...question });
  const of = (node: string) => ({ fieldSelector: [{ key: 'spec.nodeName', operator: 'In', values: [node] }] });
  const slices = { group: 'resource.platform.io', resource: 'resourceslices' };
  const requests = { group: 'certificates.platform.io', resource: 'podcertificaterequests', namespace: 'n' };
  beforeEach(async () => {
    authorizer = defineNode({ follow: followIn(store), names: platformNaming, rules, featureEnabled: () => true });
    await putPod('p', { nodeName: 'a', serviceAccountName: 'runner' });
    await put('resource.platform.io/resourceslices', 's', { spec: { nodeName: 'a' } });
    await put('certificates.platform.io/podcertificaterequests/n', 'r', { spec: { nodeName: 'a' } });
  });

  it.each([
    [of('a')],
    [{ verb: 'watch', name: 'p', namespace: 'n' }],
    [{ verb: 'get', name: 'p', namespace: 'n' }],
    [{ verb: 'patch', name: 'p', subresource: 'status' }],
    [{ verb: 'create', subresource: 'eviction' }],
    [{ resource: 'nodes', verb: 'watch', name: 'a' }],
    [{ resource: 'nodes', verb: 'update', name: 'a', subresource: 'status' }],
    [{ ...slices, verb: 'deletecollection', ...of('a') }],
    [{ ...slices, verb: 'update', name: 's' }],
    [{ ...requests, verb: 'create' }],
    [{ ...requests, verb: 'get', name: 'r' }],
    [{ ...requests, ...of('a') }],
    [{ resource: 'serviceaccounts', verb: 'get', name: 'runner', namespace: 'n' }],
  ])('may do %j', async (question) => {
    expect(await decide(question)).toEqual({ decision: 'allow' });
  });

  it.each([
    [{}, 'can only list/watch pods with spec.nodeName field selector'],
    [of('b'), 'can only list/watch pods with spec.nodeName field selector'],
    [{ verb: 'get', name: 'q', namespace: 'n' }, "no relationship found between node 'a' and this object"],
    [{ verb: 'patch', name: 'p', namespace: 'n' }, undefined],
    [{ resource: 'nodes', name: 'b', verb: 'get' }, "node 'a' cannot read 'b', only its own Node object"],
    [{ resource: 'nodes' }, "node 'a' cannot read all nodes, only its own Node object"],
    [slices, 'can only list/watch/deletecollection resourceslices with nodeName field selector'],
    [
      { resource: 'serviceaccounts', verb: 'get', name: 'other', namespace: 'n' },
      "no relationship found between node 'a' and this object",
    ],
    [requests, 'can only list/watch podcertificaterequests with nodeName field selector'],
    [{ ...requests, verb: 'get', name: 'other' }, "no relationship found between node 'a' and this object"],
    [
      { ...requests, verb: 'update', name: 'r', subresource: 'status' },
      'cannot authorize PodCertificateRequest subresources',
    ],
    [{ ...slices, verb: 'get', name: 't' }, "no relationship found between node 'a' and this object"],
  ])('may not do %j', async (question, reason) => {
    expect(await decide(question)).toEqual({ decision: 'no opinion', ...(reason ? { reason } : {}) });
  });
});

describe('volumes', () => {
  const claim = { claimRef: { namespace: 'n', name: 'c' } };
  const putVolume = (spec?: JsonObject) => put('/persistentvolumes', 'v', spec && { spec });
  beforeEach(() => putPod('p', { nodeName: 'a', volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] }));

  it('belong to the nodes of their claim', async () => {
    await putVolume(claim);
    expect([await mayGet(nodeA, 'persistentvolumes', 'v'), await mayGet(nodeB, 'persistentvolumes', 'v')]).toEqual([
      true,
      false,
    ]);
    await putVolume({});
    expect(await mayGet(nodeA, 'persistentvolumes', 'v')).toBe(false);
  });

  const secret = { namespace: 'n', name: 's' };
  it.each<[boolean, JsonObject]>([
    [true, { csi: { nodeStageSecretRef: secret } }],
    [true, { csi: { nodePublishSecretRef: secret } }],
    [true, { csi: { nodeExpandSecretRef: secret } }],
    [false, { csi: { controllerPublishSecretRef: secret, controllerExpandSecretRef: secret } }],
    [true, { azureFile: { secretName: 's' } }],
    [false, { azureFile: { secretName: 's', secretNamespace: 'other' } }],
    [true, { rbd: { secretRef: { name: 's' } } }],
    [true, { iscsi: { secretRef: secret } }],
    [true, { cinder: { secretRef: secret } }],
    [false, { cinder: { secretRef: { name: 's' } } }],
  ])('give nodes their secrets: %s for %j', async (may, source) => {
    await putVolume({ ...claim, ...source });
    expect(await mayGet(nodeA, 'secrets', 's')).toBe(may);
    expect(await mayGet(nodeB, 'secrets', 's')).toBe(false);
    await putVolume();
    expect(await mayGet(nodeA, 'secrets', 's')).toBe(false);
  });
});

it('attachments of volumes belong to their node', async () => {
  const group = 'storage.platform.io';
  await put(`${group}/volumeattachments`, 'x', { spec: { nodeName: 'a' } });
  const may = async () => [
    await mayGet(nodeA, 'volumeattachments', 'x', group),
    await mayGet(nodeB, 'volumeattachments', 'x', group),
  ];
  expect(await may()).toEqual([true, false]);
  await put(`${group}/volumeattachments`, 'x');
  expect(await may()).toEqual([false, false]);
});

it('has no opinion about users that are not nodes', async () => {
  const asked = { verb: 'get', group: '', resource: 'nodes' };
  for (const user of [
    { ...nodeA, groups: [] },
    { ...nodeA, name: 'anna' },
  ]) {
    expect(await authorizer.decide({ ...asked, user })).toEqual({ decision: 'no opinion' });
    expect(await authorizer.rules?.(user, 'n')).toHaveProperty('incomplete', false);
  }
  expect(await authorizer.rules?.(nodeA, 'n')).toEqual({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: 'node authorizer does not support user rule resolution',
  });
});

describe('a server that is not up to date', () => {
  it('denies nodes their objects, and has no opinion about other users', () => {
    const following = { isStale: true, stop() {} };
    const stale = defineNode({ follow: () => following, names: platformNaming, rules });
    const nodes = { verb: 'get', group: '', resource: 'nodes' };
    expect(stale.decide({ ...nodes, user: nodeA })).toEqual({
      decision: 'deny',
      reason: 'Node: the server has not kept up with the stored objects for more than 30 seconds',
    });
    expect(stale.decide({ ...nodes, user: { ...nodeA, name: 'anna', groups: [] } })).toEqual({
      decision: 'no opinion',
    });
  });
});
