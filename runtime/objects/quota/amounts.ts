/** Amounts by resource, as in containers, claims, limits and quotas, and their sums. */
import type { JsonObject } from '../../contract/index.js';
import { isString, objectAt } from '../guards.js';
import { byCodePoint } from '../printing.js';
import { addQuantities, compareQuantities, negateQuantity, parseQuantity, type Quantity } from '../scan/quantity.js';

/** Amounts by the names of resources. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const noAmounts: Amounts = new Map();

/** Returns the amounts at a key, sorted by name. Values that are not quantities are left out. */
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

/** Adds amounts. A resource that only one side has keeps its amount. */
export const addAmounts = (a: Amounts, b: Amounts): Amounts => combine(a, b, addQuantities);

/** Returns the larger amount of each resource. A resource that only one side has keeps its amount. */
export const largerAmounts = (a: Amounts, b: Amounts): Amounts =>
  combine(a, b, (one, other) => (compareQuantities(other, one) > 0 ? other : one));

/** The containers of a pod. */
interface Containers<C> {
  readonly containers?: readonly C[] | null | undefined;
  readonly initContainers?: readonly C[] | null | undefined;
}

/**
 * Returns the most that the containers of a pod need at one time. Containers and sidecars run together; each init
 * container that ends runs beside the sidecars before it.
 */
export function amountsTogether<C>(
  { containers, initContainers }: Containers<C>,
  amounts: (container: C) => Amounts,
  isSidecar: (container: C) => boolean,
): Amounts {
  let sidecars = noAmounts;
  let atStart = noAmounts;
  for (const container of initContainers ?? []) {
    const now = addAmounts(amounts(container), sidecars);
    if (isSidecar(container)) sidecars = now;
    atStart = largerAmounts(atStart, now);
  }
  return largerAmounts((containers ?? []).map(amounts).reduce(addAmounts, sidecars), atStart);
}

/** Returns by how much `a` exceeds `b`. Resources that do not exceed it are left out. */
export function amountsBeyond(a: Amounts, b: Amounts): Amounts {
  const more = new Map<string, Quantity>();
  for (const [name, amount] of a) {
    const other = b.get(name);
    const difference = other ? addQuantities(amount, negateQuantity(other)) : amount;
    if (difference.digits > 0n) more.set(name, difference);
  }
  return more;
}

/** Returns whether both have the same resources with equal amounts, in any notation. */
export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => isSame(amount, b.get(name)));
}

const isSame = (a: Quantity, b: Quantity | undefined): boolean => b !== undefined && compareQuantities(a, b) === 0;

/** Returns the amounts of the wanted resources. */
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
