/** The amounts that containers, pods and claims ask for. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { type Amounts, amountsAt, largerAmounts } from '../../../runtime/objects/amounts.js';
import { objectAt, objectsAt } from '../../../runtime/objects/guards.js';
import { addQuantities } from '../../../runtime/objects/scan/quantity.js';

/** The requests and the limits of one container, of a pod or of a claim. */
export interface Demand {
  readonly requests: Amounts;
  readonly limits: Amounts;
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
  const total = (of: (demand: Demand) => Amounts): Amounts =>
    before.map(of).reduce(largerAmounts, sum(containers.map(of)));
  return { requests: total(({ requests }) => requests), limits: total(({ limits }) => limits) };
}

/** Only resources that every container has an amount of have a sum: another one may use as much as it likes. */
function sum(all: readonly Amounts[]): Amounts {
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
