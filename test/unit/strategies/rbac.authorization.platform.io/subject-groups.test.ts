/** Subjects of role bindings that name the version of their kind. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { subjectGroups } from '../../../../strategies/rbac.authorization.platform.io/rolebindings.js';

const { rename } = kubernetesNaming;

function toStored(subject: JsonObject): JsonObject {
  subjectGroups.toStored({ subjects: [subject] }, rename);
  return subject;
}

function fromStored(subject: JsonObject): JsonObject {
  subjectGroups.fromStored({ subjects: [subject] }, rename);
  return subject;
}

const group = 'rbac.authorization.k8s.io';

describe('subjects of the alpha version', () => {
  it('belong to the group of their kind', () => {
    expect(toStored({ kind: 'User', apiVersion: `${group}/v1alpha1`, name: 'a' })).toEqual({
      kind: 'User',
      apiGroup: group,
      name: 'a',
    });
    expect(toStored({ kind: 'Group', name: 'a' })).toEqual({ kind: 'Group', apiGroup: group, name: 'a' });
    expect(toStored({ kind: 'ServiceAccount', apiVersion: 'v1', name: 'a' })).toEqual({
      kind: 'ServiceAccount',
      name: 'a',
    });
  });

  it('of other kinds keep the group of their version', () => {
    expect(toStored({ kind: 'Robot', apiVersion: 'a.b/v1', name: 'a' })).toEqual({
      kind: 'Robot',
      apiGroup: 'a.b',
      name: 'a',
    });
    expect(fromStored({ kind: 'Robot', apiGroup: 'a.b', name: 'a' }).apiVersion).toBe('a.b/v1alpha1');
  });

  it('called `*` are everyone who is authenticated', () => {
    expect(toStored({ kind: 'User', name: '*' })).toEqual({
      kind: 'Group',
      apiGroup: group,
      name: 'system:authenticated',
    });
    expect(toStored({ kind: 'Group', name: '*' }).name).toBe('*');
  });

  it('are converted back with a version', () => {
    expect(fromStored({ kind: 'User', apiGroup: group, name: 'a' })).toEqual({
      kind: 'User',
      apiVersion: `${group}/v1alpha1`,
      name: 'a',
    });
    expect(fromStored({ kind: 'ServiceAccount', name: 'a' }).apiVersion).toBe('v1');
  });

  it('that are not a list do not change', () => {
    expect(() => subjectGroups.toStored({ subjects: null }, rename)).not.toThrow();
    expect(() => subjectGroups.fromStored({}, rename)).not.toThrow();
  });
});
