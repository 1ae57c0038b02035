import { describe, expect, it } from 'vitest';
import { type ClaimingPod, usesClaim } from '../../../controllers/storage-protection.js';
import { servingForTests } from '../../support/serving.js';

const running = servingForTests({ naming: 'kubernetes' });

async function ask(method: string, path: string, body?: object) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  const answer = await fetch(`${running().url}/api/v1/${path}`, { method, ...init });
  const { metadata = {} } = await answer.json();
  return { code: answer.status, metadata };
}

const claims = 'namespaces/default/persistentvolumeclaims';
const pods = 'namespaces/default/pods';
const isThere = async (path: string): Promise<boolean> => (await ask('GET', path)).code === 200;

const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claim = async (name: string): Promise<void> => {
  expect((await ask('POST', claims, { metadata: { name }, spec: storage })).code).toBe(201);
};
const pod = async (name: string, claimName: string, nodeName?: string): Promise<void> => {
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName } }];
  const spec = { containers: [{ name: 'c', image: 'i' }], volumes, ...(nodeName && { nodeName }) };
  await expect.poll(async () => (await ask('POST', pods, { metadata: { name }, spec })).code).toBe(201);
};
/** Resolves once the controller has handled everything before. */
async function caughtUp(name: string): Promise<void> {
  await claim(name);
  await ask('DELETE', `${claims}/${name}`);
  await expect.poll(() => isThere(`${claims}/${name}`)).toBe(false);
}

it('keeps a claim until its last pod is gone, finished or not, and ignores pods without a node', async () => {
  await claim('data');
  await pod('first', 'data', 'a');
  await pod('second', 'data', 'a');
  await pod('waiting', 'data');
  await ask('DELETE', `${claims}/data`);
  await caughtUp('mark-1');
  expect((await ask('GET', `${claims}/data`)).metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  await ask('DELETE', `${pods}/first?gracePeriodSeconds=0`);
  await caughtUp('mark-2');
  expect(await isThere(`${claims}/data`)).toBe(true);
  await ask('PATCH', `${pods}/second/status`, { status: { phase: 'Succeeded' } });
  await caughtUp('mark-3');
  expect(await isThere(`${claims}/data`)).toBe(true);
  await ask('DELETE', `${pods}/second?gracePeriodSeconds=0`);
  await expect.poll(() => isThere(`${claims}/data`)).toBe(false);
}, 60_000);

it('keeps the finalizers of others', async () => {
  await ask('POST', claims, { metadata: { name: 'held', finalizers: ['example.com/hold'] }, spec: storage });
  await ask('DELETE', `${claims}/held`);
  const finalizers = async () => (await ask('GET', `${claims}/held`)).metadata.finalizers;
  await expect.poll(finalizers).toEqual(['example.com/hold']);
}, 60_000);

it('protects a claim and a volume again after their finalizer was removed', async () => {
  await claim('bare');
  await ask('PATCH', `${claims}/bare`, { metadata: { finalizers: null } });
  const ofClaim = async () => (await ask('GET', `${claims}/bare`)).metadata.finalizers;
  await expect.poll(ofClaim).toEqual(['kubernetes.io/pvc-protection']);
}, 60_000);

it('keeps a volume while a claim is bound to it', async () => {
  const volumes = 'persistentvolumes';
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } };
  expect((await ask('POST', volumes, { metadata: { name: 'bound' }, spec })).code).toBe(201);
  expect((await ask('POST', volumes, { metadata: { name: 'free' }, spec })).code).toBe(201);
  await ask('PATCH', `${volumes}/bound/status`, { status: { phase: 'Bound' } });
  await ask('DELETE', `${volumes}/bound`);
  await ask('DELETE', `${volumes}/free`);
  await expect.poll(() => isThere(`${volumes}/free`)).toBe(false);
  expect((await ask('GET', `${volumes}/bound`)).metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
  await ask('PATCH', `${volumes}/bound/status`, { status: { phase: 'Released' } });
  await expect.poll(() => isThere(`${volumes}/bound`)).toBe(false);
}, 60_000);

describe('the use of a claim by a pod', () => {
  const claim = (name: string, owner?: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      namespace: 'a',
      name,
      ...(owner && { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: owner, controller: true }] }),
    },
  });
  const pod = (spec: ClaimingPod['spec'], phase = 'Running', namespace = 'a'): ClaimingPod & { status: object } => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace, uid: 'u' },
    spec: { nodeName: 'n', ...spec },
    status: { phase },
  });
  const naming = (claimName: string): ClaimingPod['spec'] => ({
    volumes: [
      { name: 'other', persistentVolumeClaim: { claimName: 'other' } },
      { name: 'v', persistentVolumeClaim: { claimName } },
    ],
  });

  it('needs a node and the name, also after it has finished', () => {
    expect(usesClaim(pod(naming('c')), claim('c'))).toBe(true);
    expect(usesClaim(pod(naming('d')), claim('c'))).toBe(false);
    expect(usesClaim(pod({}), claim('c'))).toBe(false);
    expect(usesClaim(pod(naming('c'), 'Running', 'b'), claim('c'))).toBe(false);
    expect(usesClaim(pod({ ...naming('c'), nodeName: '' }), claim('c'))).toBe(false);
    expect(usesClaim(pod(naming('c'), 'Succeeded'), claim('c'))).toBe(true);
    expect(usesClaim(pod(naming('c'), 'Failed'), claim('c'))).toBe(true);
    expect(usesClaim(pod(naming('c'), 'Pending'), claim('c'))).toBe(true);
  });

  it('includes the pod for which the claim was made', () => {
    const ephemeral = pod({ volumes: [{ name: 'v', ephemeral: {} }] });
    expect(usesClaim(ephemeral, claim('p-v', 'u'))).toBe(true);
    expect(usesClaim(ephemeral, claim('p-v', 'another'))).toBe(false);
    expect(usesClaim(ephemeral, claim('p-v'))).toBe(false);
    expect(usesClaim(ephemeral, claim('p-w', 'u'))).toBe(false);
  });
});
