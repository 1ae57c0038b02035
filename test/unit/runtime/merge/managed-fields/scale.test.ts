/** Ownership of a replica count through the scale subresource. */
import { describe, expect, it } from 'vitest';
import type { ManagedFieldsEntry } from '../../../../../runtime/contract/index.js';
import { fromScaleEntries, scalePath, toScaleEntries } from '../../../../../runtime/merge/managed-fields/scale.js';

const path = scalePath('.spec.replicas');
const mapping = {
  apiVersion: 'apps/v1',
  scaleVersion: 'autoscaling/v1',
  replicas: (version: string) => (version === 'apps/v1' ? path : undefined),
};

const entry = (
  manager: string,
  operation: 'Apply' | 'Update',
  apiVersion: string,
  spec: object,
  more: object = {},
): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion,
  time: '2024-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { ...spec } },
  ...more,
});

const replicas = { 'f:replicas': {} };
const parent = [
  entry('owner', 'Apply', 'apps/v1', { ...replicas, 'f:paused': {} }),
  entry('other', 'Update', 'apps/v1', { 'f:paused': {} }),
];

describe('the scale', () => {
  it('shows the owners of the count under its own version', () => {
    expect(toScaleEntries(parent, mapping)).toEqual([entry('owner', 'Apply', 'autoscaling/v1', replicas)]);
    expect(toScaleEntries([entry('x', 'Update', 'apps/v0', replicas)], mapping)).toBeUndefined();
  });

  it('gives the count to its new owner, without a time', () => {
    const scale = [entry('hpa', 'Apply', 'autoscaling/v1', replicas, { subresource: 'scale' })];
    const { time: _, ...gained } = entry('hpa', 'Apply', 'apps/v1', replicas, { subresource: 'scale' });
    expect(fromScaleEntries(scale, parent, mapping)).toEqual([
      gained,
      entry('owner', 'Apply', 'apps/v1', { 'f:paused': {} }),
      entry('other', 'Update', 'apps/v1', { 'f:paused': {} }),
    ]);
  });

  it('does not change the parent’s entries if the owner is the same', () => {
    expect(fromScaleEntries(toScaleEntries(parent, mapping) ?? [], parent, mapping)).toEqual(parent);
  });

  it('drops managers that owned the count alone', () => {
    expect(fromScaleEntries([], [entry('owner', 'Update', 'apps/v1', replicas)], mapping)).toBeUndefined();
  });
});
