import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { updateDigest } from '../../../../runtime/storage/digest.js';

const revisions = fc.uniqueArray(
  fc.maxSafeNat().map((number) => number + 1),
  { minLength: 1, maxLength: 30 },
);

function digestOf(live: readonly number[]): number {
  return live.reduce((digest, revision) => updateDigest(digest, revision, 0), 0);
}

describe('the digest of live revisions', () => {
  it('depends on what is live, not on how it came to be', () => {
    fc.assert(
      fc.property(revisions, fc.nat(), (live, at) => {
        const shuffled = [...live].sort((a, b) => (a % 97) - (b % 97));
        expect(digestOf(shuffled)).toBe(digestOf(live));
        const gone = live[at % live.length] ?? 0;
        const rest = live.filter((revision) => revision !== gone);
        expect(updateDigest(digestOf(live), 0, gone)).toBe(digestOf(rest));
        expect(updateDigest(digestOf(live), 5, gone)).toBe(digestOf([...rest, 5]));
      }),
    );
  });

  it('tells sets apart that differ in a revision', () => {
    fc.assert(
      fc.property(revisions, fc.nat(), (live, at) => {
        const rest = live.filter((_, index) => index !== at % live.length);
        expect(digestOf(rest)).not.toBe(digestOf(live));
      }),
      { numRuns: 1000 },
    );
    const all = new Set(Array.from({ length: 100_000 }, (_, index) => updateDigest(0, index + 1, 0)));
    expect(all.size).toBe(100_000);
  });

  it('is an unsigned number of 32 bits', () => {
    fc.assert(
      fc.property(revisions, (live) => {
        const digest = digestOf(live);
        expect(Number.isInteger(digest) && digest >= 0 && digest <= 0xffff_ffff).toBe(true);
      }),
    );
  });
});
