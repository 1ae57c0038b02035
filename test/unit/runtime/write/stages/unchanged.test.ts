/** Writes that change only the times of owners. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ManagedFieldsEntry } from '../../../../../runtime/contract/index.js';
import { isUnchanged } from '../../../../../runtime/write/stages/unchanged.js';

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
const isKept = (size: number, entries: ManagedFieldsEntry[] | undefined): boolean =>
  isUnchanged(object(size, entries), object(1, stored));

describe('a write of the same object', () => {
  it('changes nothing if only the times of owners differ', () => {
    expect(isKept(1, stored)).toBe(true);
    expect(isKept(1, [entry(later)])).toBe(true);
  });

  it.each<[string, Partial<ManagedFieldsEntry>]>([
    ['another manager', { manager: 'other' }],
    ['another operation', { operation: 'Apply' }],
    ['another version', { apiVersion: 'v2' }],
    ['a subresource', { subresource: 'status' }],
    ['other fields', { fieldsV1: { 'f:spec': {} } }],
  ])('counts with %s', (_what, over) => {
    expect(isKept(1, [entry({ ...later, ...over })])).toBe(false);
  });

  it('counts with one more owner, or with none', () => {
    expect(isKept(1, [entry(later), entry({ manager: 'other' })])).toBe(false);
    expect(isKept(1, [])).toBe(false);
    expect(isKept(1, undefined)).toBe(false);
  });
});

describe('a write of another object', () => {
  it('counts, whatever its owners', () => {
    expect(isKept(2, stored)).toBe(false);
    expect(isKept(2, [entry(later)])).toBe(false);
  });

  it('counts if the order of a list differs, but not if only the order of keys differs', () => {
    const one = { ...object(1, stored), spec: { env: [{ name: 'a', value: '1' }, { name: 'b' }] } };
    const other = { ...object(1, stored), spec: { env: [{ name: 'b' }, { name: 'a', value: '1' }] } };
    const same = { ...object(1, stored), spec: { env: [{ value: '1', name: 'a' }, { name: 'b' }] } };
    expect(isUnchanged(other, one)).toBe(false);
    expect(isUnchanged(same, one)).toBe(true);
  });
});
