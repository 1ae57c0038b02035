/** A map of what comes and goes is a map, and keeps nothing that has gone. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PassingMap } from '../../../../../runtime/storage/collections/passing-map.js';

const module = new URL('../../../../../runtime/storage/collections/passing-map.ts', import.meta.url).href;

describe('a passing map', () => {
  it('holds what a map holds, in the same order', () => {
    const step = fc.record({ key: fc.nat(40), value: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const map = new PassingMap<number, number>();
        const model = new Map<number, number>();
        for (const { key, value } of steps) {
          for (const one of [map, model]) {
            if (value === null) one.delete(key);
            else one.set(key, value);
          }
          expect(map.get(key)).toBe(model.get(key));
          expect(map.has(key)).toBe(model.has(key));
          expect(map.size).toBe(model.size);
          expect([...map.values()]).toEqual([...model.values()]);
        }
      }),
    );
  });

  /** Bytes that grow old where 20,000 values of a kilobyte pass through a map, each of which is there for a moment. */
  function agedBytes(map: string): number {
    const script = `
      import { getHeapSpaceStatistics } from 'node:v8';
      import { PassingMap } from '${module}';
      const oldBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
      const map = new ${map}();
      for (let i = 0; i < 50; i++) map.set(i, i);
      // All that is there is old now.
      gc();
      const before = oldBytes();
      for (let i = 50; i < 20_050; i++) {
        map.set(i, new Array(128).fill(i));
        map.delete(i - 50);
      }
      console.log(oldBytes() - before);`;
    const flags = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', script];
    return Number(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
  }

  it('lets what has gone die young, which a map does not', () => {
    expect(agedBytes('Map')).toBeGreaterThan(5_000_000);
    expect(agedBytes('PassingMap')).toBeLessThan(1_000_000);
  });
});
