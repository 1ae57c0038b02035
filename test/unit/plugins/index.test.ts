/** Plugins by name. */
import { describe, expect, it } from 'vitest';
import { admissionPlugins, pluginsByName } from '../../../plugins/index.js';
import { platformNaming } from '../../../runtime/objects/naming.js';

describe('pluginsByName', () => {
  it('finds plugins by name, in their order', () => {
    const table = pluginsByName(admissionPlugins(platformNaming));
    expect(table.ok && [...table.plugins.keys()]).toEqual([
      'NamespaceLifecycle',
      'LimitRanger',
      'ServiceAccount',
      'TaintNodesByCondition',
      'PodSecurity',
      'Priority',
      'DefaultTolerationSeconds',
      'DefaultStorageClass',
      'StorageObjectInUseProtection',
      'PersistentVolumeClaimResize',
      'RuntimeClass',
      'CertificateApproval',
      'CertificateSigning',
      'ClusterTrustBundleAttest',
      'CertificateSubjectRestriction',
      'DefaultIngressClass',
      'SystemPriorities',
      'ParameterRights',
      'ValidatingAdmissionPolicy',
      'ResourceQuota',
    ]);
    expect(table.ok && table.plugins.get('CertificateSigning')?.name).toBe('CertificateSigning');
  });

  it('takes no name twice', () => {
    const plugins = ['a', 'b', 'a', 'c', 'a', 'c'].map((name) => ({ name }));
    expect(pluginsByName(plugins)).toEqual({ ok: false, duplicates: ['a', 'c'] });
  });
});
