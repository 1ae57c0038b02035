/** The order of releases. */
import { expect, it } from 'vitest';
import { compareReleases, isReached } from '../../../../runtime/objects/release.js';

it.each([
  ['1.9', '1.22', -1],
  ['1.22', '1.22', 0],
  ['2.0', '1.99', 1],
  ['1.100000', '2.0', -1],
  ['x', '0.0', 0],
])('%s and %s', (a, b, order) => {
  expect(Math.sign(compareReleases(a, b))).toBe(order);
});

it('has reached what came before, and itself, but nothing that is not known', () => {
  expect([isReached('1.26', '1.27'), isReached('1.27', '1.27'), isReached('1.28', '1.27')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isReached(undefined, '1.27')).toBe(false);
});
