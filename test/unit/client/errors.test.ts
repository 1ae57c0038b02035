import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as own from '../../../client/index.js';

const status: own.Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  reason: 'Conflict',
  code: 409,
  details: { causes: [] },
};
const conflicts = [{ field: '.spec.count', manager: 'jane' }];

describe('errors of another copy', () => {
  let other: typeof own;
  beforeAll(async () => {
    vi.resetModules();
    other = await import('../../../client/index.js');
    expect(other.ApiError).not.toBe(own.ApiError);
  });

  it('are of the classes of this one', () => {
    const refused = new other.ApiError(409, status);
    expect(refused).toBeInstanceOf(own.ApiError);
    expect(own.isConflict(refused)).toBe(true);
    expect(refused).not.toBeInstanceOf(own.ApplyConflictError);
    const broken = new other.ConnectionError('a request', 'no reason');
    expect(broken).toBeInstanceOf(own.ConnectionError);
    expect(broken).not.toBeInstanceOf(own.ApiError);
    const late = new other.WaitTimeoutError('door', 5, undefined);
    expect(late).toBeInstanceOf(own.WaitTimeoutError);
    expect(late).not.toBeInstanceOf(own.ConnectionError);
  });

  it('have their conflicts', () => {
    const conflict: unknown = new other.ApplyConflictError(409, status, conflicts);
    expect(conflict).toBeInstanceOf(own.ApplyConflictError);
    expect(conflict).toBeInstanceOf(own.ApiError);
    expect(own.isApplyConflict(conflict) && conflict.conflicts).toEqual(conflicts);
    expect(own.isApplyConflict(new own.ApiError(409, status))).toBe(false);
  });

  it('of derived classes are recognized like classes', () => {
    class Special extends own.ApplyConflictError {}
    expect(new Special(409, status, conflicts)).toBeInstanceOf(Special);
    expect(new own.ApplyConflictError(409, status, conflicts)).not.toBeInstanceOf(Special);
    expect(new other.ApplyConflictError(409, status, conflicts)).not.toBeInstanceOf(Special);
  });
});
