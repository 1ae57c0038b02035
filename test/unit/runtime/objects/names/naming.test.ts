/** The two sets of names. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  kubernetesNaming,
  type Naming,
  namingOf,
  otherName,
  platformNaming,
} from '../../../../../runtime/objects/names/naming.js';
import { hasShared, shared } from '../../../../support/shared.js';

/** Returns every name of a naming, by its path. */
function namesOf({ mediaTypes, namespaces, signers, secretTypes, wellKnown }: Naming): Record<string, string> {
  const parts = { mediaTypes, namespaces, signers, secretTypes, wellKnown };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, names]) =>
      Object.entries(names).map(([key, name]): [string, string] => [`${part}.${key}`, name]),
    ),
  );
}

describe('platformNaming', () => {
  it('has the names of the platform', () => {
    const names = namesOf(platformNaming);
    expect(names['namespaces.system']).toBe('platform-system');
    expect(names['signers.apiserverClientAgent']).toBe('platform.io/apiserver-client-agent');
    expect(names['mediaTypes.protobuf']).toBe('application/vnd.platform.protobuf');
  });

  it('renames nothing', () => {
    expect(platformNaming.rename('storage.platform.io')).toBe('storage.platform.io');
    expect(platformNaming.rename('storage.k8s.io')).toBe('storage.k8s.io');
  });
});

describe('kubernetesNaming', () => {
  it('has another name for everything that has a name of the platform', () => {
    const own = namesOf(platformNaming);
    for (const [path, name] of Object.entries(namesOf(kubernetesNaming))) {
      expect(name, path).not.toMatch(/platform/);
      expect(name === own[path], path).toBe(!/platform/.test(own[path] ?? ''));
    }
  });

  it.each([
    ['storage.platform.io', 'storage.k8s.io'],
    ['rbac.authorization.platform.io', 'rbac.authorization.k8s.io'],
    ['flowcontrol.platform.io', 'flowcontrol.apiserver.k8s.io'],
    ['platform-node-lease', 'kube-node-lease'],
    ['platform.io/agent-serving', 'kubernetes.io/kubelet-serving'],
    ['platform.io/tls', 'kubernetes.io/tls'],
    ['', ''],
  ])('calls %s %s', (platform, kubernetes) => {
    expect(kubernetesNaming.rename(platform)).toBe(kubernetes);
  });

  it('does not change names of users, however similar they look', () => {
    for (const name of ['example.com', 'mine.platform.io', 'storage.platform.io.example.com', 'platform.io']) {
      expect(kubernetesNaming.rename(name)).toBe(name);
    }
  });

  it.skipIf(!hasShared)('renames every built-in group of the reference (needs ../shared)', () => {
    const versions: { groupVersion: string }[] = JSON.parse(
      readFileSync(shared('reference', 'discovery-1.27.json'), 'utf8'),
    );
    const groups = versions.map(({ groupVersion }) => groupVersion.split('/')[0] ?? '');
    const named = new Set(groups.filter((group) => group.endsWith('.k8s.io')));
    expect(named.size).toBeGreaterThan(10);
    for (const group of named) {
      const platformName = group.replace(/k8s\.io$/, 'platform.io').replace('flowcontrol.apiserver', 'flowcontrol');
      expect(kubernetesNaming.rename(platformName)).toBe(group);
    }
  });
});

describe('namingOf', () => {
  it('finds a naming by its name in flags', () => {
    expect(namingOf('platform')).toBe(platformNaming);
    expect(namingOf('kubernetes')).toBe(kubernetesNaming);
    expect(namingOf('Kubernetes')).toBeUndefined();
  });
});

describe('otherName', () => {
  it.each([
    ['storage.platform.io', { name: 'storage.k8s.io', naming: 'kubernetes' }],
    ['storage.k8s.io', { name: 'storage.platform.io', naming: 'platform' }],
    ['apps', undefined],
    ['shop.example.com', undefined],
  ])('of the group %s is %j', (group, other) => expect(otherName(group)).toEqual(other));
});
