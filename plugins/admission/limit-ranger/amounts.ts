/** Amounts by resource, as containers, claims and limit ranges have them. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isString, objectAt, objectsAt } from '../../../runtime/objects/guards.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../runtime/objects/quantity.js';

export type Amounts = ReadonlyMap<string, Quantity>;

/** The requests and the limits of one container, of a pod or of a claim. */
export interface Demand {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The amounts at a key, in the order of their names; what is no quantity is left out. */
export function amountsAt(object: JsonObject | undefined, key: string): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(objectAt(object, key) ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const read = isString(text) ? parseQuantity(text) : undefined;
    if (read?.ok) amounts.set(name, read.value);
  }
  return amounts;
}

/** The amounts that a container or a claim asks for. */
export const demandOf = (holder: JsonObject | undefined): Demand => {
  const resources = objectAt(holder, 'resources');
  return { requests: amountsAt(resources, 'requests'), limits: amountsAt(resources, 'limits') };
};

/** The amounts that a pod asks for: the sum of its containers, or an init container's where that is more. */
export function demandOfPod(spec: JsonObject): Demand {
  const containers = objectsAt(spec, 'containers').map(demandOf);
  const before = objectsAt(spec, 'initContainers').map(demandOf);
  const total = (of: (demand: Demand) => Amounts): Amounts => atLeast(sum(containers.map(of)), before.map(of));
  return { requests: total(({ requests }) => requests), limits: total(({ limits }) => limits) };
}

/** Only resources that every container has an amount of have a sum: another one may use as much as it likes. */
function sum(all: readonly Amounts[]): Map<string, Quantity> {
  const [first = new Map(), ...rest] = all;
  const totals = new Map(first);
  for (const amounts of rest) {
    for (const [name, total] of totals) {
      const more = amounts.get(name);
      if (more) totals.set(name, addQuantities(total, more));
      else totals.delete(name);
    }
  }
  return totals;
}

function atLeast(totals: Map<string, Quantity>, others: readonly Amounts[]): Amounts {
  for (const [name, amount] of others.flatMap((amounts) => [...amounts])) {
    const total = totals.get(name);
    if (!total || compareQuantities(amount, total) > 0) totals.set(name, amount);
  }
  return totals;
}
