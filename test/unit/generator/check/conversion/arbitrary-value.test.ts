/** Made-up values fit their schemas as far as they can. */
import { describe, expect, it } from 'vitest';
import { ValueMaker } from '../../../../../generator/check/conversion/arbitrary-value.js';
import { createRandom } from '../../../../../generator/check/conversion/random.js';
import type { Schema } from '../../../../../runtime/contract/index.js';

describe('a made-up value', () => {
  it.each<[string, Schema, (value: unknown) => boolean]>([
    ['a number', { type: 'number', maximum: 1 }, (value) => value === 0.5],
    [
      'an integer or string',
      { 'x-kubernetes-int-or-string': true, pattern: '^a$', minimum: 9 },
      (value) => value === 'a' || value === 80,
    ],
    ['a text of another length', { type: 'string', minLength: 5, maxLength: 7 }, (value) => value === '1.2.3.4'],
    [
      'an integer of a fraction',
      { type: 'integer', multipleOf: 0.5, minimum: 0 },
      (value) => typeof value === 'bigint' || Number.isSafeInteger(value),
    ],
  ])('is valid in its schema: %s', (_, schema, fits) => {
    const random = createRandom(1);
    const maker = new ValueMaker({ random, density: 1, isOfNoInterest: () => false, edges: true });
    const made = Array.from({ length: 50 }, () => maker.value(schema, 'v'));
    expect(made.filter((value) => !fits(value))).toEqual([]);
  });
});
