/** Eviction: deletes a pod, unless a disruption budget refuses it. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { Eviction } from '../../generated/policy/v1/evictions/types.js';
import type { PodDisruptionBudget } from '../../generated/policy/v1/poddisruptionbudgets/types.js';
import type { Condition, DeleteOptions } from '../../generated/types/meta/v1/types.js';
import type { PodDisruptionBudgetStatus } from '../../generated/types/policy/v1/types.js';
import type {
  DeleteDemands,
  Draft,
  DraftObject,
  Failure,
  ObjectAccess,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import type { Release } from '../../runtime/objects/release.js';
import { formatTime } from '../../runtime/objects/scan/time.js';
import { labelSelectorOf } from '../../runtime/objects/selectors/labels.js';
import { badRequest, forbiddenObject, notFound, plainFailure, tooManyRequests } from '../../runtime/objects/status.js';

// Disruption budgets in evictions: which apply to a pod, whether they allow its eviction, and how it is recorded.

type Budget = DraftObject<PodDisruptionBudget>;

const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };

/** The most evictions that the controller has not confirmed; with more, a budget allows no further one. */
const maxDisrupted = 2000;

/** Seconds until the client should retry if the controller has not processed a budget yet. */
const retrySeconds = 10;

export const defineEviction = (release: Release): VirtualHandler =>
  defineVirtualHandler<Eviction>({
    group: '',
    resource: 'pods',
    subresource: 'eviction',
    check: ({ metadata }, { name }) =>
      metadata.name === name ? undefined : badRequest('name in URL does not match name in Eviction object'),
    create: (eviction, context) => evict(eviction, context, release),
  });

/**
 * Returns the budgets that select a pod. A budget without a selector selects none, and no budget selects pods without
 * labels.
 */
function budgetsOf({ metadata }: DraftObject<Pod>, objects: ObjectAccess): readonly Budget[] {
  const { labels = {}, namespace = '' } = metadata;
  if (Object.keys(labels).length === 0) return [];
  return objects.list({ ...budgets, namespace }).filter(({ spec }: Budget) => {
    const read = spec?.selector && labelSelectorOf(spec.selector);
    return read?.ok && read.value.matches(labels);
  });
}

/**
 * Returns whether a pod that is not ready may be evicted whatever the budget allows, because it does not count as
 * available.
 */
function isDispensable({ status }: DraftObject<Pod>, budget: Budget): boolean {
  const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  if (isReady) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** Returns the failure of an eviction that a budget does not allow now. */
function refusedBy({ metadata, status = {} }: Budget, release: Release): Failure | undefined {
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
  const subject = `The disruption budget ${name}`;
  if (!release.does('reasonsOfBudgets') || currentHealthy <= desiredHealthy) {
    return violated(`${subject} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`);
  }
  return violated(`${subject} does not allow evicting pods currently${syncProblem(status)}`);
}

/** Returns why a controller could not count the pods of a budget. */
function syncProblem({ conditions = [] }: Draft<PodDisruptionBudgetStatus>): string {
  const { status, reason, message } = conditions.find(({ type }) => type === 'DisruptionAllowed') ?? {};
  return status === 'False' && reason === 'SyncFailed' ? ` because it failed sync: ${message}` : '';
}

const refuse = (name: string, why: string): Failure => forbiddenObject('policy', 'poddisruptionbudget', name, why);

const violated = (message: string, seconds = 0): Failure =>
  tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", seconds, [
    { reason: 'DisruptionBudget', message },
  ]);

/** Takes one disruption from a budget, in place, and records the pod. `now` is in milliseconds. */
function takeDisruption(budget: Budget, pod: string, now: number): void {
  const { status = {} } = budget;
  const left = (status.disruptionsAllowed ?? 0) - 1;
  const disruptedPods = { ...status.disruptedPods, [pod]: formatTime(now) };
  budget.status = { ...status, disruptionsAllowed: left, disruptedPods };
  if (left === 0) budget.status.conditions = withoutDisruptions(status, formatTime(now));
}

/** Returns the conditions of a budget without disruptions left. */
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

async function evict(
  { deleteOptions = {} }: DraftObject<Eviction>,
  context: VirtualContext,
  release: Release,
): Promise<Result<'done'>> {
  const { namespace, name, objects } = context;
  const place = { group: '', resource: 'pods', namespace, name };
  const pod = objects.get(place);
  if (!pod) return { ok: false, failure: notFound('', 'pods', name) };
  const dryRun = context.dryRun || (deleteOptions.dryRun ?? []).length > 0;
  const refused = isBeyondBudgets(pod) ? undefined : await askBudgets(pod, context, dryRun, release);
  if (refused) return { ok: false, failure: refused };
  if (dryRun) return { ok: true, value: 'done' };
  const deleted = await objects.delete(place, demandsOf(deleteOptions));
  return deleted.ok ? { ok: true, value: 'done' } : deleted;
}

/** Pods that do not run are not disrupted by an eviction. */
const isBeyondBudgets = ({ metadata, status }: DraftObject<Pod>): boolean =>
  metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '');

/** Checks the pod's budget and charges the eviction to it. */
async function askBudgets(
  pod: DraftObject<Pod>,
  { objects, now }: VirtualContext,
  dryRun: boolean,
  release: Release,
): Promise<Failure | undefined> {
  const [budget, ...others] = budgetsOf(pod, objects);
  if (!budget) return undefined;
  if (others.length > 0) {
    return plainFailure(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (isDispensable(pod, budget)) return undefined;
  if (dryRun) return refusedBy(budget, release);
  const place = { ...budgets, namespace: pod.metadata.namespace ?? '', name: budget.metadata.name ?? '' };
  const taken = await objects.update(place, (current) => {
    const refused = refusedBy(current, release);
    if (!refused) takeDisruption(current, pod.metadata.name ?? '', now);
    return refused;
  });
  return taken.ok ? undefined : taken.failure;
}

const propagations = ['Orphan', 'Foreground', 'Background'] as const;

function demandsOf(options: Draft<DeleteOptions>): DeleteDemands {
  const { gracePeriodSeconds: grace, preconditions: { uid, resourceVersion } = {} } = options;
  const propagation = propagations.find((each) => each === options.propagationPolicy);
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(propagation ? { propagation } : {}),
  };
}
