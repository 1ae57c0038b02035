import { expect, it } from 'vitest';
import { type ClaimingPod, usesClaim } from '../../../controllers/claim-protection.js';

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
