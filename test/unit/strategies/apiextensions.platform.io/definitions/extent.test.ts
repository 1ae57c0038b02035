/** The limits of schemas: values at a limit pass, and values beyond are reported with it. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { extentProblem } from '../../../../../strategies/apiextensions.platform.io/definitions/version-schema.js';

const text = { type: 'string' };
const wide = (count: number, of: (i: number) => JsonObject = () => text): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, of(i)])),
});
const patterns = (count: number): JsonObject => wide(count, (i) => ({ type: 'string', pattern: `^${i}$` }));
const rules = (length: number): JsonObject => ({
  ...text,
  'x-kubernetes-validations': [{ rule: 'r'.repeat(length - 10), messageExpression: 'm'.repeat(10) }],
});

it.each([
  ['parts', wide(29_999), wide(30_000), 'schemas must not have more than 30000 parts'],
  ['patterns', patterns(5_000), patterns(5_001), 'schemas must not have more than 5000 different patterns'],
  ['rules', rules(65_536), rules(65_537), 'validation rules must not have more than 65536 characters together'],
])('limits %s', (_, most, more, problem) => {
  expect(extentProblem(most)).toBeUndefined();
  expect(extentProblem(more)).toBe(problem);
});

it('counts a pattern in many places once', () =>
  expect(extentProblem(wide(20_000, () => ({ type: 'string', pattern: '^a$' })))).toBeUndefined());
