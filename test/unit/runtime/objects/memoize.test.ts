import { describe, expect, it } from 'vitest';
import { memoize } from '../../../../runtime/objects/memoize.js';

const defineMaking = (bounds?: { most?: number; longest?: number }) => {
  const made: string[] = [];
  const make = memoize((text) => ({ text, at: made.push(text) }), bounds);
  return { made, make };
};

describe('remembered', () => {
  it('makes one value for a text, and another for another', () => {
    const { made, make } = defineMaking();
    expect(make('a')).toBe(make('a'));
    expect(make('b')).toEqual({ text: 'b', at: 2 });
    expect(made).toEqual(['a', 'b']);
  });

  it('keeps no more texts than its limit', () => {
    const { made, make } = defineMaking({ most: 2 });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'c']) make(text);
    expect(made).toEqual(['a', 'b', 'c', 'a']);
  });

  it('keeps nothing of a long text', () => {
    const { made, make } = defineMaking({ longest: 3 });
    for (const text of ['long', 'long', 'abc', 'abc']) make(text);
    expect(made).toEqual(['long', 'long', 'abc']);
  });

  it('knows nothing before the first call', () => {
    const { make } = defineMaking();
    for (const text of ['', 'constructor', '__proto__']) expect(make(text).text).toBe(text);
  });
});
