/** A recursive function that asks for its deep parts returns the same as one that only calls itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { FromBelow, isDeeper, Later, writeJson } from '../../../../runtime/objects/from-below.js';

/** The sum of the numbers in a value, one more for each list or object, and the level of the deepest empty one. */
type Sum = readonly [sum: number, deepest: number];

/** Adds up by recursion, and asks for parts `stop` levels down. */
function summing(stop: number): (value: JsonValue) => Sum {
  const parts = new FromBelow<Sum>([0, 0]);
  const sumAt = (value: JsonValue, level: number): Sum => {
    if (typeof value === 'number') return [value, 0];
    if (typeof value !== 'object' || value === null) return [0, 0];
    if (level === stop) return parts.resultOf([value], () => sumAt(value, 0));
    const sums = Object.values(value).map((child) => sumAt(child ?? null, level + 1));
    return [1 + sums.reduce((all, [sum]) => all + sum, 0), 1 + Math.max(0, ...sums.map(([, deepest]) => deepest))];
  };
  return (value) => sumAt(value, 0);
}

describe('FromBelow', () => {
  it('gives the results of plain recursion', () => {
    const plain = summing(Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 9 }), fc.integer({ min: 1, max: 4 }), (json, stop) => {
        const value: JsonValue = JSON.parse(JSON.stringify(json));
        const sum = summing(stop);
        expect(sum(value)).toEqual(plain(value));
        expect(sum([value, value])).toEqual(plain([value, value]));
      }),
    );
  });

  it('goes as deep as values do, in proportional time', () => {
    let value: JsonValue = [1];
    for (let i = 1; i < 200_000; i++) value = [value, 1];
    expect(summing(200)(value)).toEqual([400_000, 200_000]);
  });

  it('works again after a failure', () => {
    const parts = new FromBelow<number>(0);
    const at = (value: JsonValue, level: number): number => {
      if (!Array.isArray(value)) throw new Error('no list');
      if (level === 2) return parts.resultOf([value], () => at(value, 0));
      return 1 + value.reduce<number>((sum, item) => sum + at(item, level + 1), 0);
    };
    expect(() => at([[[[['x']]]]], 0)).toThrow('no list');
    expect(at([[[[[[]]]]]], 0)).toBe(6);
  });
});

function levelsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((child) => levelsOf(child ?? null)));
}

it('equals the depth of the deepest list or object', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (json, levels) => {
      const value: JsonValue = JSON.parse(JSON.stringify(json));
      expect(isDeeper(value, levels)).toBe(levelsOf(value) > levels);
    }),
  );
});

it('may be any', () => {
  let value: JsonValue = {};
  for (let i = 1; i < 100_000; i++) value = { a: value };
  expect([isDeeper(value, 99_999), isDeeper(value, 100_000)]).toEqual([true, false]);
});

describe('Later', () => {
  it('does all tasks before the first one is over for its caller', () => {
    const later = new Later();
    const done: number[] = [];
    const down = (level: number): void => {
      done.push(level);
      if (level < 100_000) later.run(() => down(level + 1));
    };
    down(0);
    expect(done).toEqual(Array.from({ length: 100_001 }, (_, level) => level));
  });

  it('ends with the first task that fails', () => {
    const later = new Later();
    const asked: string[] = [];
    const ask = (name: string, answer: boolean): boolean => {
      asked.push(name);
      return answer;
    };
    const all = later.all(() => later.all(() => ask('a', true)) && later.all(() => ask('b', false)) && ask('c', true));
    expect([all, asked]).toEqual([false, ['c', 'a', 'b']]);
    expect(later.all(() => true)).toBe(true);
  });

  it('forgets waiting tasks when one fails', () => {
    const later = new Later();
    const failing = (): boolean => {
      later.run(() => expect.unreachable());
      throw new Error('fails');
    };
    expect(() => later.all(failing)).toThrow('fails');
    let ran = false;
    later.run(() => {
      ran = true;
    });
    expect(ran).toBe(true);
  });
});

describe('writeJson', () => {
  it('writes like JSON.stringify, in one line and indented', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        const value: JsonValue = JSON.parse(JSON.stringify(json));
        expect(writeJson(value)).toBe(JSON.stringify(value));
        expect(writeJson(value, { pretty: true })).toBe(JSON.stringify(value, undefined, 2));
      }),
    );
  });

  it('writes 64-bit integers in full, leaves out undefined values, and sorts keys on request', () => {
    expect(writeJson({ b: [2n ** 63n - 1n], c: undefined, a: {} })).toBe('{"b":[9223372036854775807],"a":{}}');
    expect(writeJson({ b: 1, a: { d: 1, c: [] } }, { order: (a, b) => (a < b ? -1 : 1) })).toBe(
      '{"a":{"c":[],"d":1},"b":1}',
    );
  });

  it('writes values of any depth', () => {
    const text = `${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
    expect(writeJson(JSON.parse(text))).toBe(text);
  });
});
