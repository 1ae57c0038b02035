/** The list of strategies. */
import { describe, expect, it } from 'vitest';
import { kubernetesNaming, platformNaming } from '../../../runtime/objects/naming.js';
import { strategies } from '../../../strategies/index.js';

const kinds = (names: typeof platformNaming): string[] => strategies(names).map(({ kind }) => kind);

describe('strategies', () => {
  it('has one for each kind', () => {
    expect(new Set(kinds(platformNaming)).size).toBe(strategies(platformNaming).length);
  });

  it('names kinds as they are served', () => {
    expect(kinds(platformNaming)).toContain('certificates.platform.io/CertificateSigningRequest');
    expect(kinds(kubernetesNaming)).toContain('certificates.k8s.io/CertificateSigningRequest');
    expect(kinds(platformNaming)).toContain('Namespace');
    expect(kinds(kubernetesNaming)).toContain('Namespace');
    expect(kinds(kubernetesNaming).join()).not.toContain('platform');
  });
});
