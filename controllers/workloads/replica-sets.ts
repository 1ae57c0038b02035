/** Gives a replica set as many pods as it wants, and says in its status how many there are. */
import { ApiError, createResourceClient } from '../../client/index.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { timeOf, withCondition, withoutCondition } from './conditions.js';
import { isActive, isReady, leastMissedFirst, untilAvailableMs } from './pod-state.js';
import { alike, deletePods, makePods, podsOf } from './pods-of.js';
import { replicaSets } from './resources.js';
import type { Pod, ReplicaSet, ReplicaSetStatus } from './types.js';
import { type Reconcile, type Work, writeStatus } from './work.js';

export const reconcileReplicaSet: Reconcile = async (work) => {
  const sets = createResourceClient(replicaSets, work.client).in(work.namespace);
  const set = await sets.get(work.name, { signal: work.signal }).catch(ignoreNotFound);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const active = (await podsOf(set, work)).filter(isActive);
  const refusal = await resize(set, active, work);
  await writeStatus(sets.subresource('status'), set, statusOf(set, active, refusal, work), work);
  if (refusal !== undefined) throw refusal;
};

/** Resolves to why the server refused, as a quota does. */
async function resize(set: ReplicaSet, active: readonly Pod[], work: Work): Promise<ApiError | undefined> {
  const missing = (set.spec?.replicas ?? 1) - active.length;
  try {
    if (missing > 0) await makePods(set, alike(set, missing), work);
    if (missing < 0) await deletePods(leastMissedFirst(active).slice(0, -missing), work);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function statusOf(
  { metadata, spec, status }: ReplicaSet,
  active: readonly Pod[],
  refusal: ApiError | undefined,
  { clock, again }: Work,
): ReplicaSetStatus {
  const wanted = Object.entries(spec?.template?.metadata?.labels ?? {});
  const waits = active.flatMap((pod) => untilAvailableMs(pod, spec?.minReadySeconds ?? 0, clock.wallMs()) ?? []);
  const available = waits.filter((ms) => ms <= 0).length;
  const [next] = waits.filter((ms) => ms > 0).sort((a, b) => a - b);
  if (next !== undefined) again(next);
  const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: refusal?.message ?? '' };
  const conditions =
    refusal === undefined
      ? withoutCondition(status?.conditions, failure.type)
      : withCondition(status?.conditions, failure, timeOf(clock));
  return {
    replicas: active.length,
    fullyLabeledReplicas: countOf(active, ({ metadata: { labels = {} } }) =>
      wanted.every(([key, value]) => labels[key] === value),
    ),
    readyReplicas: countOf(active, isReady),
    availableReplicas: available,
    observedGeneration: metadata.generation ?? 0,
    conditions,
  };
}

const countOf = (pods: readonly Pod[], counts: (pod: Pod) => boolean): number => pods.filter(counts).length;
