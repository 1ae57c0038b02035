import { describe, expect, it } from 'vitest';
import { digitsEnd, textBefore, withoutLeading, withoutTrailing } from '../../../../../runtime/objects/scan/text.js';

describe('the scanning of texts', () => {
  it.each([
    ['123', 0, 3],
    ['a12b', 1, 3],
    ['a12b', 0, 0],
    ['12', 2, 2],
    ['٣', 0, 0],
  ])('finds in %j from %i where the digits end', (text, from, end) => {
    expect(digitsEnd(text, from)).toBe(end);
  });

  it('cuts characters off at the ends, and none within', () => {
    expect(withoutTrailing('/a//b//', '/')).toBe('/a//b');
    expect(withoutTrailing('a \t ', ' \t')).toBe('a');
    expect(withoutTrailing('===', '=')).toBe('');
    expect(withoutLeading('00100', '0')).toBe('100');
    expect(withoutLeading('000', '0')).toBe('');
  });

  it('cuts at the first occurrence of a text', () => {
    expect(textBefore('/path?a?b', '?')).toBe('/path');
    expect(textBefore('/path', '?')).toBe('/path');
  });
});
