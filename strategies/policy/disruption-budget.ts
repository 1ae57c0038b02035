/** The part of disruption budgets in evictions: which apply to a pod, whether they allow its end, and its record. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { PodDisruptionBudget } from '../../generated/policy/v1/poddisruptionbudgets/types.js';
import type { Condition } from '../../generated/types/meta/v1/types.js';
import type { PodDisruptionBudgetStatus } from '../../generated/types/policy/v1/types.js';
import type { Draft, DraftObject, Failure, ObjectAccess } from '../../runtime/contract/index.js';
import { labelSelectorOf } from '../../runtime/objects/selectors/labels.js';
import { forbiddenObject, tooManyRequests } from '../../runtime/objects/status.js';
import { formatTime } from '../../runtime/objects/time/time.js';

type Budget = DraftObject<PodDisruptionBudget>;

/** The resource of budgets. */
export const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };

/** With more evictions than these that the controller has not confirmed, a budget allows no further one. */
const maxDisrupted = 2000;

/** Seconds after which to ask again for a budget that has not been processed yet. */
const retrySeconds = 10;

/** The budgets that select a pod. A budget without a selector selects none, and no budget selects pods without labels. */
export function budgetsOf({ metadata }: DraftObject<Pod>, objects: ObjectAccess): readonly Budget[] {
  const { labels = {}, namespace = '' } = metadata;
  if (Object.keys(labels).length === 0) return [];
  return objects.list({ ...budgets, namespace }).filter(({ spec }: Budget) => {
    const read = spec?.selector && labelSelectorOf(spec.selector);
    return read?.ok && read.value.matches(labels);
  });
}

/** Whether a pod that is not ready may go whatever the budget allows, since it does not count as available. */
export function isDispensable({ status }: DraftObject<Pod>, budget: Budget): boolean {
  const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  if (isReady) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** The failure of an eviction that a budget does not allow now. */
export function refusedBy({ metadata, status = {} }: Budget): Failure | undefined {
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  if (observedGeneration < generation) {
    return violated(`The disruption budget ${name} is still being processed by the server.`, retrySeconds);
  }
  if (disruptionsAllowed < 0) return refuse(name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > maxDisrupted) {
    return refuse(name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (disruptionsAllowed > 0) return undefined;
  return violated(
    `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
  );
}

const refuse = (name: string, why: string): Failure => forbiddenObject('policy', 'poddisruptionbudget', name, why);

const violated = (message: string, seconds = 0): Failure =>
  tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", seconds, [
    { reason: 'DisruptionBudget', message },
  ]);

/** Takes one disruption from a budget, in place, and records the pod. `now` is in milliseconds. */
export function takeDisruption(budget: Budget, pod: string, now: number): void {
  const { status = {} } = budget;
  const left = (status.disruptionsAllowed ?? 0) - 1;
  const disruptedPods = { ...status.disruptedPods, [pod]: formatTime(now) };
  budget.status = { ...status, disruptionsAllowed: left, disruptedPods };
  if (left === 0) budget.status.conditions = withoutDisruptions(status, formatTime(now));
}

/** The conditions of a budget that has no disruption left. */
function withoutDisruptions(
  { conditions = [], observedGeneration = 0 }: Draft<PodDisruptionBudgetStatus>,
  now: string,
): Draft<Condition>[] {
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const condition: Draft<Condition> = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration,
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return before ? conditions.map((each) => (each === before ? condition : each)) : [...conditions, condition];
}
