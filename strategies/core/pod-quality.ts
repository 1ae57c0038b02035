/** The quality of service of a pod. A node that runs out of memory decides by it which pods end. */
import type { PodSpec, ResourceRequirements } from '../../generated/types/core/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { addQuantities, compareQuantities, type Quantity } from '../../runtime/objects/scan/quantity.js';
import { amountsOf } from '../shared/resources.js';

type QualityOfService = 'BestEffort' | 'Burstable' | 'Guaranteed';

const counted = ['cpu', 'memory'] as const;

/** Returns the quality of service that follows from requests and limits: of the pod if it has any, otherwise of its containers. */
export function qualityOfService(spec: Draft<PodSpec> = {}): QualityOfService {
  const parts = hasAmounts(spec.resources) ? [spec] : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let allLimited = true;
  for (const { resources } of parts) {
    add(requests, amountsOf(resources?.requests));
    if (add(limits, amountsOf(resources?.limits)) < counted.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal = [...requests].every(([name, amount]) => isSame(amount, limits.get(name)));
  return allLimited && equal && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Returns whether a pod or a container has requests or limits. */
export const hasAmounts = ({ requests = {}, limits = {} }: Draft<ResourceRequirements> = {}): boolean =>
  Object.keys(requests).length + Object.keys(limits).length > 0;

/** Adds amounts, and returns how many count. */
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
