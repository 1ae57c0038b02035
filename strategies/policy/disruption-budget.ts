/** What the budgets of a namespace say to the end of a pod, and how they are told of it. */
import type { ApiObject, Failure, JsonObject, ObjectAccess } from '../../runtime/contract/index.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { labelSelectorOf } from '../../runtime/objects/selectors/labels.js';
import { forbiddenObject, tooManyRequests } from '../../runtime/objects/status.js';
import { formatTime } from '../../runtime/objects/time/time.js';

/** Where budgets are. */
export const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };

/** Evictions that nobody has confirmed yet; with more of them a budget lets no pod go. */
const mostDisrupted = 2000;

/** Seconds after which a budget that is still being looked at may be asked again. */
const retrySeconds = 10;

/** The budgets that a pod counts for. One without a selector, and a pod without labels, has nothing to do with any. */
export function budgetsOf(pod: ApiObject, objects: ObjectAccess): readonly ApiObject[] {
  const { labels = {}, namespace = '' } = pod.metadata;
  if (Object.keys(labels).length === 0) return [];
  return objects.list({ ...budgets, namespace }).filter((budget) => {
    const selector = objectAt(objectAt(budget, 'spec'), 'selector');
    const read = selector && labelSelectorOf(selector);
    return read?.ok === true && read.value.matches(labels);
  });
}

/** Whether a pod that does not work may go whatever the budget allows, since it does not count as available. */
export function isDispensable(pod: ApiObject, budget: ApiObject): boolean {
  if (isReady(pod)) return false;
  if (stringAt(objectAt(budget, 'spec'), 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const status = objectAt(budget, 'status');
  const desired = numberAt(status, 'desiredHealthy');
  return desired > 0 && numberAt(status, 'currentHealthy') >= desired;
}

function isReady(pod: ApiObject): boolean {
  const conditions = getOwn(objectAt(pod, 'status') ?? {}, 'conditions');
  return (
    isArray(conditions) && conditions.some((each) => isObject(each) && each.type === 'Ready' && each.status === 'True')
  );
}

const numberAt = (object: JsonObject | undefined, key: string): number => {
  const value = object && getOwn(object, key);
  return typeof value === 'number' ? value : 0;
};

/** Why a budget does not let a pod go now. */
export function refusedBy(budget: ApiObject): Failure | undefined {
  const status = objectAt(budget, 'status');
  const name = budget.metadata.name ?? '';
  if (numberAt(status, 'observedGeneration') < (budget.metadata.generation ?? 0)) {
    return violated(`The disruption budget ${name} is still being processed by the server.`, retrySeconds);
  }
  const allowed = numberAt(status, 'disruptionsAllowed');
  if (allowed < 0) return refuse(name, 'pdb disruptions allowed is negative');
  if (Object.keys(objectAt(status, 'disruptedPods') ?? {}).length > mostDisrupted) {
    return refuse(name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed > 0) return undefined;
  const [needed, has] = [numberAt(status, 'desiredHealthy'), numberAt(status, 'currentHealthy')];
  return violated(`The disruption budget ${name} needs ${needed} healthy pods and has ${has} currently`);
}

const refuse = (name: string, why: string): Failure => forbiddenObject('policy', 'poddisruptionbudget', name, why);

const violated = (message: string, seconds = 0): Failure =>
  tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", seconds, [
    { reason: 'DisruptionBudget', message },
  ]);

/** Takes one disruption from a budget, in place, and says which pod it was for. `now` is in milliseconds. */
export function takeDisruption(budget: ApiObject, pod: string, now: number): void {
  const status = objectAt(budget, 'status') ?? {};
  const left = numberAt(status, 'disruptionsAllowed') - 1;
  const disruptedPods = { ...objectAt(status, 'disruptedPods'), [pod]: formatTime(now) };
  budget.status = { ...status, disruptionsAllowed: left, disruptedPods };
  if (left === 0) budget.status.conditions = withoutDisruptions(status, formatTime(now));
}

/** The conditions of a budget that has no disruption left. */
function withoutDisruptions(status: JsonObject, now: string): JsonObject[] {
  const conditions = getOwn(status, 'conditions');
  const known = (isArray(conditions) ? conditions : []).filter(isObject);
  const before = known.find(({ type }) => type === 'DisruptionAllowed');
  const condition: JsonObject = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: numberAt(status, 'observedGeneration'),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return before ? known.map((each) => (each === before ? condition : each)) : [...known, condition];
}
