/** ClusterTrustBundleAttest: the bundles of a signer are for those who may attest for it. */
import { expect, it } from 'vitest';
import { defineClusterTrustBundleAttest } from '../../../../plugins/index.js';
import type { AuthorizationAttributes } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, write } from './attributes.js';

const bundles = moduleOf('certificates.k8s.io', 'clustertrustbundles', 'ClusterTrustBundle', { scope: 'Cluster' });
const plugin = defineClusterTrustBundleAttest(kubernetesNaming);
const bundle = (signerName: string) =>
  write({ resource: bundles, namespace: '', object: object({ spec: { signerName } }) });
const mayAttestFor = (...names: string[]) =>
  contextWith(
    {},
    ({ verb, group, resource, name = '' }: AuthorizationAttributes) =>
      verb === 'attest' && group === 'certificates.k8s.io' && resource === 'signers' && names.includes(name),
  );

testAdmissionPlugin({
  plugin,
  admitted: bundle('example.com/own'),
  refused: bundle('example.com/foreign'),
  context: mayAttestFor('example.com/own'),
  words: ['signerName'],
});

it('asks for the signer, then for all of its domain', async () => {
  expect(await runPlugin(plugin, bundle('example.com/a'), mayAttestFor('example.com/*'))).toBeUndefined();
  expect(await runPlugin(plugin, bundle('other.com/a'), mayAttestFor('example.com/*'))).toMatchObject({
    reason: 'Forbidden',
    message:
      'clustertrustbundles.certificates.k8s.io "a" is forbidden: user not permitted to attest for signerName "other.com/a"',
  });
});

it('lets everybody write bundles of no signer', async () => {
  expect(await runPlugin(plugin, bundle(''), mayAttestFor())).toBeUndefined();
});
