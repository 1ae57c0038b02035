import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ring } from '../../../../runtime/storage/ring.js';

describe('a ring', () => {
  it('is a queue whatever its size was', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ push: fc.nat(300), shift: fc.nat(300) }), { maxLength: 20 }), (steps) => {
        const ring = new Ring<number>();
        const model: number[] = [];
        let next = 0;
        for (const { push, shift } of steps) {
          for (let count = 0; count < push; count++) {
            ring.push(next);
            model.push(next++);
          }
          for (let count = 0; count < shift; count++) expect(ring.shift()).toBe(model.shift());
          expect(ring.length).toBe(model.length);
          for (const at of [-1, 0, model.length - 1, model.length]) {
            ring.set(at, next);
            if (at >= 0 && at < model.length) model[at] = next++;
          }
          for (const at of [-1, 0, 1, model.length >> 1, model.length - 1, model.length]) {
            expect(ring.at(at)).toBe(model[at]);
          }
        }
      }),
    );
  });
});
