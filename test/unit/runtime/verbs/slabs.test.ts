/** Pieces of bytes gathered in few large ones: nothing lost, nothing out of order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slabs } from '../../../../runtime/verbs/slabs.js';

const slabSize = 256 * 1024;

const gathered = (pieces: readonly Uint8Array[]): readonly Uint8Array[] => {
  const slabs = new Slabs();
  for (const piece of pieces) slabs.add(piece);
  return slabs.chunks();
};

const filled = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

describe('slabs', () => {
  it('hold the pieces in order, whatever their sizes', () => {
    const size = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(slabSize - 1, slabSize, slabSize + 1, 200_000),
    );
    fc.assert(
      fc.property(fc.array(size, { maxLength: 12 }), (sizes) => {
        const pieces = sizes.map((length, i) => filled(length, i + 1));
        expect(Buffer.concat(gathered(pieces)).equals(Buffer.concat(pieces))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('are few for many small pieces', () => {
    const pieces = Array.from({ length: 4096 }, () => filled(100, 1));
    expect(gathered(pieces)).toHaveLength(2);
  });

  it('are none where nothing was added', () => {
    expect(gathered([])).toEqual([]);
  });

  it('take a large piece as it is, and copy the others', () => {
    const [large, small] = [filled(slabSize + 1, 1), filled(3, 2)];
    const [first, second] = gathered([large, small]);
    expect(first).toBe(large);
    small.fill(9);
    expect(second).toEqual(Buffer.from([2, 2, 2]));
  });
});
