/** Entries of a brief map come and go, while its table is rebuilt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BriefMap } from '../../../../runtime/storage/brief-map.js';

const step = fc.record({ key: fc.integer({ min: 0, max: 200 }), deletes: fc.boolean() });

describe('a brief map', () => {
  it('holds the same as a map', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, minLength: 100 }), (steps) => {
        const map = new Map<number, number>();
        const brief = new BriefMap<number, number>();
        for (const [index, { key, deletes }] of steps.entries()) {
          for (const one of [map, brief]) {
            if (deletes) one.delete(key);
            else one.set(key, index);
          }
          expect(brief.get(key)).toBe(map.get(key));
        }
        expect(brief.size).toBe(map.size);
        expect([...brief.values()].sort()).toEqual([...map.values()].sort());
      }),
      { numRuns: 30 },
    );
  });
});
