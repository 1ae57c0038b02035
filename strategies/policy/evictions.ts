/** Eviction: deletes a pod, unless a disruption budget speaks against it. */
import type {
  ApiObject,
  DeleteDemands,
  Failure,
  JsonObject,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { getOwn, isArray, isInteger, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { badRequest, notFound, plainFailure } from '../../runtime/objects/status.js';
import { budgets, budgetsOf, isDispensable, refusedBy, takeDisruption } from './disruption-budget.js';

export function defineEviction(): VirtualHandler {
  return {
    group: '',
    resource: 'pods',
    subresource: 'eviction',
    check: (eviction, { name }) =>
      eviction.metadata.name === name ? undefined : badRequest('name in URL does not match name in Eviction object'),
    create: evict,
  };
}

async function evict(eviction: ApiObject, context: VirtualContext): Promise<Result<'done'>> {
  const { namespace, name, objects } = context;
  const place = { group: '', resource: 'pods', namespace, name };
  const pod = objects.get(place);
  if (!pod) return { ok: false, failure: notFound('', 'pods', name) };
  const options = objectAt(eviction, 'deleteOptions');
  const dryRun = context.dryRun || asksForDryRun(options);
  const refused = isBeyondBudgets(pod) ? undefined : await askBudgets(pod, context, dryRun);
  if (refused) return { ok: false, failure: refused };
  if (dryRun) return { ok: true, value: 'done' };
  const deleted = await objects.delete(place, demandsOf(options));
  return deleted.ok ? { ok: true, value: 'done' } : deleted;
}

function asksForDryRun(options: JsonObject | undefined): boolean {
  const dryRun = getOwn(options ?? {}, 'dryRun');
  return isArray(dryRun) && dryRun.length > 0;
}

/** Pods that do not run yet or any more disrupt nothing when they go. */
function isBeyondBudgets(pod: ApiObject): boolean {
  const phase = stringAt(objectAt(pod, 'status'), 'phase');
  return pod.metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(phase);
}

/** Asks the pod's budget, and takes from it what the eviction costs. */
async function askBudgets(
  pod: ApiObject,
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

function demandsOf(options: JsonObject | undefined): DeleteDemands {
  const preconditions = objectAt(options, 'preconditions');
  const [uid, resourceVersion] = [stringAt(preconditions, 'uid'), stringAt(preconditions, 'resourceVersion')];
  const propagation = (['Orphan', 'Foreground', 'Background'] as const).find(
    (each) => each === stringAt(options, 'propagationPolicy'),
  );
  const grace = getOwn(options ?? {}, 'gracePeriodSeconds');
  return {
    ...(isInteger(grace) ? { gracePeriodSeconds: Number(grace) } : {}),
    ...(uid === '' ? {} : { uid }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    ...(propagation === undefined ? {} : { propagation }),
  };
}
