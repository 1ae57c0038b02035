/** Which writes count as changing nothing: those after which only the times of owners differ. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ManagedFieldsEntry } from '../../../../../runtime/contract/index.js';
import { keepTimesOfNoOp } from '../../../../../runtime/merge/index.js';

const entry = (over: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2024-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:size': {} } },
  ...over,
});

const object = (size: number, managedFields?: ManagedFieldsEntry[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'A',
  metadata: { name: 'a', ...(managedFields ? { managedFields } : {}) },
  spec: { size },
});

const stored = [entry()];
const later = { time: '2024-01-01T00:00:09Z' };
const kept = (size: number, entries: ManagedFieldsEntry[] | undefined): ManagedFieldsEntry[] | undefined =>
  keepTimesOfNoOp(object(1, stored), object(size, entries), entries);

describe('a write of the same object', () => {
  it('keeps the stored entries where the others differ in time', () => {
    expect(kept(1, [entry(later)])).toBe(stored);
  });

  it.each<[string, Partial<ManagedFieldsEntry>]>([
    ['another manager', { manager: 'other' }],
    ['another operation', { operation: 'Apply' }],
    ['another version', { apiVersion: 'v2' }],
    ['a subresource', { subresource: 'status' }],
    ['other fields', { fieldsV1: { 'f:spec': {} } }],
  ])('counts with %s', (_what, over) => {
    const entries = [entry({ ...later, ...over })];
    expect(kept(1, entries)).toBe(entries);
  });

  it('counts with one owner more, or with none', () => {
    const more = [entry(later), entry({ manager: 'other' })];
    expect(kept(1, more)).toBe(more);
    expect(kept(1, [])).toEqual([]);
    expect(kept(1, undefined)).toBeUndefined();
  });
});

it('a write of another object counts', () => {
  const entries = [entry(later)];
  expect(kept(2, entries)).toBe(entries);
});
