/** The class of a pod: which pods give way first where a node runs short. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { addQuantities, compareQuantities, type Quantity } from '../../../runtime/objects/quantity.js';
import { objectsAt } from '../../shared/reading.js';
import { amountsAt } from '../../shared/resource-list.js';

export type QualityOfService = 'BestEffort' | 'Burstable' | 'Guaranteed';

const counted = ['cpu', 'memory'] as const;

/** The class that the requests and limits of all containers of a spec make. */
export function qualityOfService(spec: JsonObject | undefined): QualityOfService {
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let allLimited = true;
  for (const container of containers) {
    const resources = objectAt(container, 'resources');
    add(requests, amountsAt(resources, 'requests'));
    if (add(limits, amountsAt(resources, 'limits')) < counted.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal = [...requests].every(([name, amount]) => isSame(amount, limits.get(name)));
  return allLimited && equal && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Adds the amounts that count, and says how many there are. */
function add(sums: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): number {
  let found = 0;
  for (const name of counted) {
    const amount = amounts.get(name);
    if (!amount || amount.digits <= 0n) continue;
    const sum = sums.get(name);
    sums.set(name, sum ? addQuantities(sum, amount) : amount);
    found++;
  }
  return found;
}

const isSame = (a: Quantity, b: Quantity | undefined): boolean => b !== undefined && compareQuantities(a, b) === 0;
