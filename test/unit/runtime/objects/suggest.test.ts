import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { didYouMean, editDistance, findNearest } from '../../../../runtime/objects/suggest.js';

test.each([
  ['a', ['b', '']],
  ['', ['a']],
])('words unlike %j are not suggested: %j', (written, known) => {
  expect(findNearest(written, known)).toBeUndefined();
});

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['propertes', 'properties', 1],
    ['tpye', 'type', 1],
    ['kitten', 'sitting', 3],
    ['abc', 'cba', 2],
  ])('%s, %s: %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  test('is symmetric, zero only for equal words, and no more than the longer word', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});

describe('findNearest', () => {
  const known = ['properties', 'required', 'type', 'items', 'minItems', 'maxItems'];
  test.each([
    ['propertys', 'properties'],
    ['Type', 'type'],
    ['TYPE', 'type'],
    ['tpye', 'type'],
    ['minitems', 'minItems'],
    ['itms', 'items'],
    ['x', undefined],
    ['something', undefined],
    ['', undefined],
    ['t'.repeat(1_000), undefined],
  ])('%s: %s', (written, nearest) => {
    expect(findNearest(written, known)).toBe(nearest);
  });

  test('the suggestion is a question', () => {
    expect(didYouMean('propertes', known)).toBe('did you mean `properties`?');
    expect(didYouMean('nothing like it', known)).toBeUndefined();
  });
});
