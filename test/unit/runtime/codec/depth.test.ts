/** Depth is measured, and values are cut, whatever room the stack has. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBelow, isDeeper, readableLevels, walkableLevels } from '../../../../runtime/codec/depth.js';
import { decodeJson } from '../../../../runtime/codec/json.js';
import type { JsonValue } from '../../../../runtime/contract/index.js';

function levelsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((child) => levelsOf(child ?? null)));
}

/** A value without all that is deeper, worked out by recursion. */
function shallow(value: JsonValue, levels: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return {};
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, shallow(child ?? null, levels - 1)]));
}

it('is that of the deepest list or object', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (json, levels) => {
      const value: JsonValue = JSON.parse(JSON.stringify(json));
      expect(isDeeper(value, levels)).toBe(levelsOf(value) > levels);
      const expected = shallow(value, Math.max(levels, 1));
      cutBelow(value, Math.max(levels, 1));
      expect(value).toEqual(expected);
    }),
  );
});

const nested = (levels: number, inner = '{}'): string =>
  `${'{"a":['.repeat(levels / 2 - 1)}{"a":${inner}}${']}'.repeat(levels / 2 - 1)}`;

describe('a body that nests deeper than code can walk', () => {
  it('is refused where nothing else is asked for', () => {
    expect(decodeJson(nested(walkableLevels)).ok).toBe(true);
    expect(decodeJson(nested(walkableLevels + 2))).toMatchObject({
      ok: false,
      problem: "invalid character '{' exceeded max depth",
    });
  });

  it.each([walkableLevels + 2, readableLevels])('is cut at %d levels', (levels) => {
    const decoded = decodeJson(nested(levels), { deeper: 'cut' });
    if (!decoded.ok) throw new Error(decoded.problem);
    expect(decoded.cut).toBe(true);
    expect([isDeeper(decoded.value, walkableLevels), isDeeper(decoded.value, walkableLevels + 1)]).toEqual([
      true,
      false,
    ]);
  });

  it('is whole where it is just as deep as that', () => {
    const decoded = decodeJson(nested(walkableLevels), { deeper: 'cut' });
    expect(decoded).not.toHaveProperty('cut');
    expect(decoded).toMatchObject({ ok: true, value: JSON.parse(nested(walkableLevels)) });
  });

  it('is refused beyond what is read at all', () => {
    expect(decodeJson(nested(readableLevels + 2), { deeper: 'cut' })).toMatchObject({ ok: false });
  });

  it('is looked through to its end: for keys that are repeated, and numbers that are too large', () => {
    const repeated = decodeJson(nested(9000, '{"b":1,"b":1.0}'), { deeper: 'cut', repeated: 'merge' });
    if (!repeated.ok) throw new Error(repeated.problem);
    expect([repeated.duplicates.length, repeated.decimals.length]).toEqual([1, 1]);
    expect(repeated.duplicates[0]?.endsWith('.a.b')).toBe(true);
    expect(decodeJson(nested(9000, '1e999'), { deeper: 'cut' }).ok).toBe(false);
    expect(decodeJson(nested(9000, '[1'), { deeper: 'cut' }).ok).toBe(false);
  });

  it('is merged with what it repeats, all the way down', () => {
    const text = `{"x":${nested(9000)},"x":${nested(9000)},"y":1}`;
    const decoded = decodeJson(text.replaceAll('[', '{"b":').replaceAll(']', '}'), {
      deeper: 'cut',
      repeated: 'merge',
    });
    expect(decoded).toMatchObject({ ok: true, duplicates: ['x'], value: { y: 1 } });
  });
});
