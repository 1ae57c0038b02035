/** Numbers at and around the limits that schemas set. */
import type { JsonValue, Schema } from '../../../../runtime/contract/index.js';

/** Numbers near every limit of the schemas, and some that are in no way special. */
export function numbersOf(facets: readonly Schema[]): readonly JsonValue[] {
  const wholes = [0, 1, 2, 3, 10, -1, 100];
  const limits = facets.flatMap(({ minimum, maximum }) => [minimum, maximum].flatMap((limit) => around(limit)));
  const steps = facets.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : multiples(multipleOf, facets)));
  const wide = facets.some(({ format }) => format === 'int32' || format === 'int64')
    ? [2147483647, 2147483648, -2147483648, -2147483649]
    : [];
  const fractions = facets.some(({ type }) => type === 'number') ? [0.5, 1.5, -0.5] : [];
  return [...new Set<JsonValue>([...wholes, ...limits, ...steps, ...fractions, ...wide, ...between(facets)])];
}

function around(limit: number | bigint | undefined): readonly JsonValue[] {
  if (limit === undefined) return [];
  if (typeof limit === 'bigint') return [limit, limit - 1n, limit + 1n];
  return [limit, limit - 1, limit + 1, limit - 0.5, limit + 0.5];
}

/** One number between each two neighbouring limits. */
function between(facets: readonly Schema[]): readonly JsonValue[] {
  const limits = facets.flatMap(({ minimum, maximum }) => [minimum, maximum].flatMap((each) => each ?? []));
  const sorted = [...new Set(limits.map(Number))].sort((a, b) => a - b);
  return sorted.slice(1).flatMap((limit, at) => {
    const middle = ((sorted[at] ?? limit) + limit) / 2;
    return [Math.floor(middle), middle];
  });
}

/** Multiples near zero and near the limits, as another step may not divide them. */
function multiples(step: number, facets: readonly Schema[]): readonly JsonValue[] {
  const limits = facets.flatMap(({ minimum, maximum }) => [minimum, maximum].flatMap((each) => each ?? []).map(Number));
  const near = limits.flatMap((limit) => [Math.ceil(limit / step) * step, Math.floor(limit / step) * step]);
  return [step, 2 * step, 3 * step, 5 * step, 7 * step, -step, ...near, step + 1, step / 2];
}
