/** PersistentVolumeClaimResize: claims grow where their storage class lets them. */
import { expect, it } from 'vitest';
import { definePersistentVolumeClaimResize } from '../../../../../plugins/index.js';
import type { ApiObject } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../../runtime/objects/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../../support/admission-suite.js';
import { moduleOf } from '../../../../support/modules.js';
import { contextOf, object, write } from '../attributes.js';

const claims = moduleOf('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
const plugin = definePersistentVolumeClaimResize(kubernetesNaming);
const context = contextOf({
  'storage.k8s.io/storageclasses//grows': object({ allowVolumeExpansion: true }),
  'storage.k8s.io/storageclasses//fixed': object({ allowVolumeExpansion: false }),
  'storage.k8s.io/storageclasses//silent': object(),
});

const claim = (storage: string, storageClassName: string, phase = 'Bound'): ApiObject =>
  object({ spec: { storageClassName, resources: { requests: { storage } } }, status: { phase } });

const update = (before: ApiObject, after: ApiObject) =>
  write({ resource: claims, operation: 'UPDATE', oldObject: before, object: after });

const noResize =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

it.each([
  ['grows where its class lets it', claim('1Gi', 'grows'), claim('2Gi', 'grows'), undefined],
  ['stays as large as it is', claim('1Gi', 'fixed'), claim('1024Mi', 'fixed'), undefined],
  ['does not shrink by this', claim('2Gi', 'fixed'), claim('1Gi', 'fixed'), undefined],
  ['of a class that says no', claim('1Gi', 'fixed'), claim('2Gi', 'fixed'), noResize],
  ['of a class that says nothing', claim('1Gi', 'silent'), claim('2Gi', 'silent'), noResize],
  ['of a class that is not there', claim('1Gi', 'none'), claim('2Gi', 'none'), noResize],
  ['of no class', claim('1Gi', ''), claim('2Gi', ''), noResize],
  ['that changes its class', claim('1Gi', 'fixed'), claim('2Gi', 'grows'), noResize],
  [
    'that has no volume yet',
    claim('1Gi', 'grows', 'Pending'),
    claim('2Gi', 'grows', 'Pending'),
    'Only bound persistent volume claims can be expanded',
  ],
])('a claim %s', async (_, before, after, why) => {
  const failure = await runPlugin(plugin, update(before, after), context);
  expect(failure?.message).toBe(why && `persistentvolumeclaims "a" is forbidden: ${why}`);
});

it('takes the class that the annotation names', async () => {
  const annotations = { 'volume.beta.kubernetes.io/storage-class': 'grows' };
  const annotated = (size: string): ApiObject => ({ ...claim(size, ''), metadata: { name: 'a', annotations } });
  expect(await runPlugin(plugin, update(annotated('1Gi'), annotated('2Gi')), context)).toBeUndefined();
});

testAdmissionPlugin({
  plugin,
  admitted: update(claim('1Gi', 'grows'), claim('2Gi', 'grows')),
  refused: update(claim('1Gi', 'fixed'), claim('2Gi', 'fixed')),
  context,
  words: ['storageClassName', 'resources', 'requests', 'storage', 'phase'],
});
