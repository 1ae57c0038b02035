/** Revisions of the store as etcd's revisions with a position in them. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../../runtime/storage/etcd/driver.js';
import { Numbering, POSITIONS } from '../../../../../runtime/storage/etcd/numbering.js';

describe('the numbering of revisions', () => {
  it('rises with etcd’s revision, then with the position', () => {
    const numbering = new Numbering(7);
    const places = [1, 2, 3].flatMap((revision) => [0, 1, 99].map((position) => [revision, position] as const));
    const revisions = places.map(([revision, position]) => numbering.toStore(revision, position));
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    expect(revisions.map((revision) => numbering.toEtcd(revision))).toEqual(places.map(([revision]) => revision));
  });

  it('has room for all changes of a transaction, and is enough for a thousand years', () => {
    expect(LIMITS.changes).toBeLessThanOrEqual(POSITIONS);
    const seconds = 1000 * 365.25 * 24 * 60 * 60;
    expect(new Numbering(0).toStore(2_200 * seconds, POSITIONS - 1)).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });

  it('continues above the revisions of the first format', () => {
    for (const base of [0, 3_000_000_000]) {
      const [first, now] = [new Numbering(base, 1), new Numbering(base)];
      for (const revision of [1, 2, 1_000_000]) {
        expect(first.toStore(revision)).toBe(revision + base);
        expect(now.toStore(revision)).toBeGreaterThan(first.toStore(revision));
      }
    }
  });

  it('maps absence to absence, and revisions before the base to a revision that no key has', () => {
    const numbering = new Numbering(5_000);
    expect(numbering.toEtcd(0)).toBe(0);
    expect(numbering.toEtcd(4_000)).toBe(1);
    expect(numbering.toEtcd(5_001)).toBe(1);
  });
});
