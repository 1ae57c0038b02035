import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PrefixSums } from '../../../../../runtime/storage/collections/sorted-chunks.js';

describe('prefix sums', () => {
  it('add up, also after changes', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(counts, fc.array(fc.tuple(fc.nat(39), fc.integer({ min: 1, max: 5 }))), (start, changes) => {
        const model = [...start];
        const sums = new PrefixSums(start);
        for (const [at, delta] of changes) {
          const place = at % model.length;
          model[place] = (model[place] ?? 0) + delta;
          sums.add(place, delta);
        }
        let before = 0;
        for (const [place, count] of model.entries()) {
          expect(sums.before(place)).toBe(before);
          expect(sums.locate(before)).toEqual({ place, offset: 0 });
          expect(sums.locate(before + count - 1)).toEqual({ place, offset: count - 1 });
          before += count;
        }
        expect(sums.before(model.length)).toBe(before);
        expect(sums.locate(before + 3)).toEqual({ place: model.length, offset: 3 });
      }),
    );
  });

  it('are zero of nothing', () => {
    expect(new PrefixSums([]).before(0)).toBe(0);
    expect(new PrefixSums([]).locate(0).place).toBe(0);
  });
});
