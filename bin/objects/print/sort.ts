/** Sorts objects by a value in them, as `--sort-by` of kubectl does. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { compareQuantities, parseQuantity } from '../../../runtime/objects/scan/quantity.js';
import { Refusal } from '../refusal.js';
import { relaxedPath } from './columns.js';

/**
 * Those without a value come first; what is equal stays in order. Throws a `Refusal` where no object has the value, or
 * values do not compare.
 */
export function sortBy<T>(items: readonly T[], path: string, objectOf: (item: T) => JsonValue): readonly T[] {
  const read = relaxedPath(path);
  const keyed = items.map((item) => ({ item, key: read(objectOf(item))[0] }));
  if (items.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new Refusal(`--sort-by: no object has ${path}`, 'kindforge explain RESOURCE --recursive prints the fields');
  }
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item);
}

function order(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const [isThere, isOtherThere] = [a ?? undefined, b ?? undefined].map((value) => value !== undefined);
  if (!isThere || !isOtherThere) return Number(isThere) - Number(isOtherThere);
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return orderOfTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw new Refusal(`--sort-by: ${kindOf(a)} and ${kindOf(b)} have no order`, 'Sort by numbers, texts or times');
}

const isNumber = (value: JsonValue | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const kindOf = (value: JsonValue | undefined): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;

/** Quantities by their amount, all else by its characters and the numbers among them: `a2` comes before `a10`. */
function orderOfTexts(a: string, b: string): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left.ok && right.ok) return compareQuantities(left.value, right.value);
  const [parts, others] = [a, b].map((text) => text.match(/\d+|\D+/g) ?? []);
  for (const [i, part] of (parts ?? []).entries()) {
    const other = others?.[i];
    if (other === undefined) return 1;
    const difference = orderOfParts(part, other);
    if (difference !== 0) return difference;
  }
  return (parts?.length ?? 0) - (others?.length ?? 0);
}

function orderOfParts(a: string, b: string): number {
  if (!/^\d/.test(a) || !/^\d/.test(b)) return byCodePoint(a, b);
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : a.length - b.length;
}
