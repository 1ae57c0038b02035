/** Patterns of schemas. */
import { describe, expect, it } from 'vitest';
import { pattern } from '../../../../../runtime/schema/engine/pattern.js';

describe('a pattern', () => {
  it('matches any part of a text unless it has anchors', () => {
    expect(pattern('b+').matches('abbc')).toBe(true);
    expect(pattern('^b+$').matches('abbc')).toBe(false);
  });

  it('reads RE2 syntax', () => {
    expect(pattern('^(?P<name>[[:alpha:]]+)\\z').matches('abc')).toBe(true);
    expect(pattern('(?i)^ABC$').matches('abc')).toBe(true);
    expect(pattern('^\\pL$').matches('é')).toBe(true);
    expect(pattern('^.$').matches('😀')).toBe(true);
    expect(pattern('^a$').matches('a\n')).toBe(false);
  });

  it('cannot judge a text if it cannot be compiled', () => {
    expect(pattern('(').matches('(')).toBeUndefined();
    expect(pattern('(?=a)').matches('a')).toBeUndefined();
  });

  it('takes linear time if backtracking would not end', () => {
    const nested = pattern('^(a+)+$');
    expect(nested.matches(`${'a'.repeat(50_000)}!`)).toBe(false);
    expect(nested.matches('a'.repeat(50_000))).toBe(true);
  });

  it('has the same result for cached texts, and for more texts than the cache can hold', () => {
    const digits = pattern('^[0-9]+$');
    const texts = Array.from({ length: 1000 }, (_, i) => String(i));
    for (let round = 0; round < 2; round++) {
      expect(texts.every((text) => digits.matches(text))).toBe(true);
      expect(texts.some((text) => digits.matches(`${text}x`))).toBe(false);
    }
  });
});
