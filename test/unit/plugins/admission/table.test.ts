import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { admissionPlugins, admissionTable, optionalAdmissionPlugins } from '../../../../plugins/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { hasShared, shared } from '../../../support/shared.js';

const parts = {
  rules: { rulesOf: () => ({ rules: [], problems: [] }), rulesToCome: () => undefined },
  volumeLabels: () => undefined,
};
const names = admissionTable.map(({ name }) => name);
/** It was added after the release of the specification. */
const later = 'MutatingAdmissionPolicy';
const on = admissionTable.filter(({ byDefault, name }) => byDefault === 'on' && name !== later).map(({ name }) => name);

describe('the table of admission plugins', () => {
  it('has the nineteen that are on by default', () => {
    expect(on.sort()).toEqual([
      'CertificateApproval',
      'CertificateSigning',
      'CertificateSubjectRestriction',
      'DefaultIngressClass',
      'DefaultStorageClass',
      'DefaultTolerationSeconds',
      'LimitRanger',
      'MutatingAdmissionWebhook',
      'NamespaceLifecycle',
      'PersistentVolumeClaimResize',
      'PodSecurity',
      'Priority',
      'ResourceQuota',
      'RuntimeClass',
      'ServiceAccount',
      'StorageObjectInUseProtection',
      'TaintNodesByCondition',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionWebhook',
    ]);
  });

  it.skipIf(!hasShared)('has the defaults of the specification', () => {
    const specification = readFileSync(shared('spec', 'resources-and-admission.md'), 'utf8');
    const [line = ''] = /^Enabled by default in 1\.27:.*$/m.exec(specification) ?? [];
    const said = [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(said).toHaveLength(19);
    expect(on.sort()).toEqual(said.sort());
  });

  it('has each name once, and ends with webhooks, quota and AlwaysDeny', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.slice(-3)).toEqual(['ValidatingAdmissionWebhook', 'ResourceQuota', 'AlwaysDeny']);
  });

  it('agrees with the existing plugins', () => {
    for (const { name, phase, define } of admissionTable) {
      const plugin = define(platformNaming, parts);
      if (!plugin) continue;
      expect(plugin.name).toBe(name);
      const phases = plugin.admit && plugin.validate ? 'both' : plugin.admit ? 'mutating' : 'validating';
      expect([name, phase]).toEqual([name, phases]);
    }
  });

  it('provides the plugins of servers', () => {
    const all = [...admissionPlugins(platformNaming, parts), ...optionalAdmissionPlugins(platformNaming, parts)];
    const defined = admissionTable.flatMap(({ define }) => define(platformNaming, parts)?.name ?? []);
    expect(all.map(({ name }) => name).sort()).toEqual(defined.sort());
  });
});
