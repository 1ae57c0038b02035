/** Conditions of definitions: set in place, with a time that changes only with the status. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import {
  approvalIn,
  conditionsOf,
  isProtectedGroup,
  isTrue,
  removeCondition,
  setCondition,
} from '../../../../runtime/objects/definition-conditions.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';

const early = '2030-01-01T00:00:00Z';
const late = '2030-01-01T00:01:00Z';
const established = { type: 'Established', status: 'True', reason: 'Yes', message: 'it is' } as const;

describe('a condition', () => {
  it('is added at the end', () => {
    const status: JsonObject = { conditions: [{ type: 'Other', status: 'True' }] };
    setCondition(status, established, early);
    expect(status.conditions).toEqual([
      { type: 'Other', status: 'True' },
      { ...established, lastTransitionTime: early },
    ]);
    expect(isTrue(status, 'Established')).toBe(true);
  });

  it('keeps its time while its status stays', () => {
    const status: JsonObject = {};
    setCondition(status, established, early);
    setCondition(status, { ...established, message: 'still' }, late);
    expect(conditionsOf(status)).toEqual([{ ...established, message: 'still', lastTransitionTime: early }]);
    setCondition(status, { ...established, status: 'False' }, late);
    expect(conditionsOf(status)).toMatchObject([{ status: 'False', lastTransitionTime: late }]);
    expect(isTrue(status, 'Established')).toBe(false);
  });

  it('can be removed; a list without it does not change', () => {
    const status: JsonObject = { conditions: null };
    removeCondition(status, 'Established');
    expect(status).toEqual({ conditions: null });
    setCondition(status, established, early);
    removeCondition(status, 'Established');
    expect(status).toEqual({ conditions: [] });
  });
});

describe('approvals', () => {
  it("are required in the platform's groups of a naming", () => {
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
