/** Bodies with very many mistakes: the reported errors stay within limits. */
import { expect, it } from 'vitest';
import type { FieldError } from '../../../../runtime/contract/index.js';
import { required } from '../../../../runtime/objects/field-error.js';
import {
  validateAnnotations,
  validateFinalizers,
  validateLabels,
} from '../../../../runtime/objects/names/metadata-rules.js';
import { invalid } from '../../../../runtime/objects/status.js';

const causesOf = (errors: readonly FieldError[]): number =>
  invalid('', 'Any', 'a', errors).details?.causes?.length ?? 0;

const many = Array.from({ length: 200_000 }, (_, i) => `bad key ${i}`);

it('names so many errors, and no more characters than fit into an answer', () => {
  const errors = many.map((name) => required(name));
  expect(causesOf(errors.slice(0, 9_000))).toBe(9_000);
  expect(causesOf(errors)).toBe(10_000);
  const long = { ...required('a'), message: 'x'.repeat(600_000) };
  expect(causesOf([long])).toBe(1);
  expect(causesOf([long, long, long])).toBe(1);
});

it('stops once a map or list has enough of them', () => {
  const map = Object.fromEntries(many.map((key) => [key, '']));
  for (const errors of [validateLabels(map, 'm'), validateAnnotations(map, 'm'), validateFinalizers(many, 'm')])
    expect(errors.length).toBeLessThan(1_010);
});
