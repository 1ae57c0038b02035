/** Amounts by resource, as containers, claims, limits and quotas have them, and sums of them. */
import type { JsonObject } from '../contract/index.js';
import { isString, objectAt } from './guards.js';
import { byCodePoint } from './printing.js';
import { addQuantities, compareQuantities, negateQuantity, parseQuantity, type Quantity } from './scan/quantity.js';

/** An amount for each of some resources, by their names. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const noAmounts: Amounts = new Map();

/** The amounts at a key, in the order of their names; what is no quantity is left out. */
export function amountsAt(object: JsonObject | undefined, key: string): Amounts {
  const written = objectAt(object, key);
  if (!written) return noAmounts;
  const amounts = new Map<string, Quantity>();
  for (const name of Object.keys(written).sort(byCodePoint)) {
    const text = written[name];
    const read = isString(text) ? parseQuantity(text) : undefined;
    if (read?.ok) amounts.set(name, read.value);
  }
  return amounts;
}

/** The sums; a resource that only one side has keeps its amount. */
export const addAmounts = (a: Amounts, b: Amounts): Amounts => combine(a, b, addQuantities);

/** The larger amounts; a resource that only one side has keeps its amount. */
export const largerAmounts = (a: Amounts, b: Amounts): Amounts =>
  combine(a, b, (one, other) => (compareQuantities(other, one) > 0 ? other : one));

/** The amounts by which `a` is more than `b`; resources of which it is not are left out. */
export function amountsBeyond(a: Amounts, b: Amounts): Amounts {
  const more = new Map<string, Quantity>();
  for (const [name, amount] of a) {
    const other = b.get(name);
    const difference = other ? addQuantities(amount, negateQuantity(other)) : amount;
    if (difference.digits > 0n) more.set(name, difference);
  }
  return more;
}

/** Whether the same resources have the same amounts, however they are written. */
export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => isSame(amount, b.get(name)));
}

const isSame = (a: Quantity, b: Quantity | undefined): boolean => b !== undefined && compareQuantities(a, b) === 0;

/** Only the amounts of some resources. */
export const amountsOf = (amounts: Amounts, wanted: (name: string) => boolean): Amounts =>
  new Map([...amounts].filter(([name]) => wanted(name)));

function combine(a: Amounts, b: Amounts, merge: (one: Quantity, other: Quantity) => Quantity): Amounts {
  if (b.size === 0) return a;
  const all = new Map(a);
  for (const [name, amount] of b) {
    const before = all.get(name);
    all.set(name, before ? merge(before, amount) : amount);
  }
  return all;
}
