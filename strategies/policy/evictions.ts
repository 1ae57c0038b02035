/** Eviction: deletes a pod, unless a disruption budget refuses it. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { Eviction } from '../../generated/policy/v1/evictions/types.js';
import type { DeleteOptions } from '../../generated/types/meta/v1/types.js';
import type {
  DeleteDemands,
  Draft,
  DraftObject,
  Failure,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { badRequest, notFound, plainFailure } from '../../runtime/objects/status.js';
import { budgets, budgetsOf, isDispensable, refusedBy, takeDisruption } from './disruption-budget.js';

export const defineEviction = (): VirtualHandler =>
  defineVirtualHandler<Eviction>({
    group: '',
    resource: 'pods',
    subresource: 'eviction',
    check: ({ metadata }, { name }) =>
      metadata.name === name ? undefined : badRequest('name in URL does not match name in Eviction object'),
    create: evict,
  });

async function evict({ deleteOptions = {} }: DraftObject<Eviction>, context: VirtualContext): Promise<Result<'done'>> {
  const { namespace, name, objects } = context;
  const place = { group: '', resource: 'pods', namespace, name };
  const pod = objects.get(place);
  if (!pod) return { ok: false, failure: notFound('', 'pods', name) };
  const dryRun = context.dryRun || (deleteOptions.dryRun ?? []).length > 0;
  const refused = isBeyondBudgets(pod) ? undefined : await askBudgets(pod, context, dryRun);
  if (refused) return { ok: false, failure: refused };
  if (dryRun) return { ok: true, value: 'done' };
  const deleted = await objects.delete(place, demandsOf(deleteOptions));
  return deleted.ok ? { ok: true, value: 'done' } : deleted;
}

/** Pods that do not run yet or any more disrupt nothing when they go. */
const isBeyondBudgets = ({ metadata, status }: DraftObject<Pod>): boolean =>
  metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '');

/** Asks the pod's budget, and takes from it what the eviction costs. */
async function askBudgets(
  pod: DraftObject<Pod>,
  { objects, now }: VirtualContext,
  dryRun: boolean,
): Promise<Failure | undefined> {
  const [budget, ...others] = budgetsOf(pod, objects);
  if (!budget) return undefined;
  if (others.length > 0) {
    return plainFailure(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (isDispensable(pod, budget)) return undefined;
  if (dryRun) return refusedBy(budget);
  const place = { ...budgets, namespace: pod.metadata.namespace ?? '', name: budget.metadata.name ?? '' };
  const taken = await objects.update(place, (current) => {
    const refused = refusedBy(current);
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
