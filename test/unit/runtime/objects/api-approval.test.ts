/** The approval annotation of definitions in the Kubernetes project's own groups. */
import { describe, expect, it } from 'vitest';
import { approvalIn, isProtectedGroup } from '../../../../runtime/objects/api-approval.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/naming.js';

describe('approvals', () => {
  it('are asked for in the own groups of a naming', () => {
    expect(isProtectedGroup('storage.k8s.io', kubernetesNaming)).toBe(true);
    expect(isProtectedGroup('kubernetes.io', kubernetesNaming)).toBe(true);
    expect(isProtectedGroup('myk8s.io', kubernetesNaming)).toBe(false);
    expect(isProtectedGroup('a.platform.io', platformNaming)).toBe(true);
    expect(isProtectedGroup('a.platform.io', kubernetesNaming)).toBe(false);
  });

  it.each([
    [undefined, 'missing'],
    ['', 'missing'],
    ['unapproved, an experiment', 'bypassed'],
    ['https://example.com/pull/1', 'approved'],
    ['example.com/pull/1', 'invalid'],
    ['yes', 'invalid'],
  ])('%s is %s', (value, state) => {
    const annotations = value === undefined ? {} : { 'api-approved.kubernetes.io': value };
    expect(approvalIn(annotations, kubernetesNaming).state).toBe(state);
  });
});
