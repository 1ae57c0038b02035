/** Gives a stateful set its pods one after the other, and replaces them from the last to the first. */
import { createResourceClient } from '../../client/index.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { makeOrdinalPod, ordinalOf } from './ordinal-pods.js';
import { isActive, isFinished, isReady, untilAvailableMs } from './pod-state.js';
import { deletePods, podsOf } from './pods-of.js';
import { statefulSets } from './resources.js';
import { forgetOldRevisions, nameOf, revisionLabel, revisionsOf, type SetRevisions } from './set-revisions.js';
import type { Pod, StatefulSet, StatefulSetStatus } from './types.js';
import { type Reconcile, type Work, writeStatus } from './work.js';

export const reconcileStatefulSet: Reconcile = async (work) => {
  const sets = createResourceClient(statefulSets, work.client).in(work.namespace);
  const set = await sets.get(work.name, { signal: work.signal }).catch(ignoreNotFound);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const revisions = await revisionsOf(set, work);
  const pods = [...(await podsOf(set, work))].sort((a, b) => ordinalOf(a) - ordinalOf(b));
  await takeStep(set, pods, revisions, work);
  await writeStatus(sets.subresource('status'), set, statusOf(set, pods, revisions, work), work);
  await forgetOldRevisions(set, revisions, new Set(pods.map(revisionOf)), work);
};

const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[revisionLabel] ?? '';

/** Makes, deletes or replaces what can be at present; the changes that makes have the set looked at again. */
async function takeStep(set: StatefulSet, pods: readonly Pod[], revisions: SetRevisions, work: Work): Promise<void> {
  const { replicas = 1, ordinals, podManagementPolicy } = set.spec ?? {};
  const first = ordinals?.start ?? 0;
  const atOnce = podManagementPolicy === 'Parallel';
  for (let ordinal = first; ordinal < first + replicas; ordinal++) {
    const pod = pods.find((each) => ordinalOf(each) === ordinal);
    if (pod === undefined) await makeOrdinalPod(set, ordinal, revisionFor(set, ordinal, revisions), work);
    else if (isFinished(pod)) await deletePods([pod], work);
    else if (isActive(pod) && isReady(pod)) continue;
    if (!atOnce) return;
  }
  const surplus = pods.filter((pod) => ordinalOf(pod) < first || ordinalOf(pod) >= first + replicas).reverse();
  for (const pod of surplus) {
    if (pod.metadata.deletionTimestamp === undefined) await deletePods([pod], work);
    if (!atOnce) return;
  }
  if (surplus.length === 0) await replaceOne(set, pods, revisions, work);
}

const partitionOf = ({ spec }: StatefulSet): number => spec?.updateStrategy?.rollingUpdate?.partition ?? 0;

/** Pods below the partition stay as they were. */
const revisionFor = (set: StatefulSet, ordinal: number, { current, update }: SetRevisions) =>
  ordinal < partitionOf(set) + (set.spec?.ordinals?.start ?? 0) ? current : update;

/** Deletes the last pod of another template, once those after it are ready; it is made again of the present one. */
async function replaceOne(set: StatefulSet, pods: readonly Pod[], revisions: SetRevisions, work: Work): Promise<void> {
  if (set.spec?.updateStrategy?.type === 'OnDelete') return;
  const wanted = nameOf(revisions.update);
  const from = partitionOf(set) + (set.spec?.ordinals?.start ?? 0);
  for (const pod of [...pods].reverse().filter((each) => ordinalOf(each) >= from)) {
    if (revisionOf(pod) !== wanted) {
      if (isActive(pod)) await deletePods([pod], work);
      return;
    }
    if (!isActive(pod) || !isReady(pod)) return;
  }
}

function statusOf(
  { metadata, spec = {}, status }: StatefulSet,
  pods: readonly Pod[],
  { current, update }: SetRevisions,
  { clock, again }: Work,
): StatefulSetStatus {
  const count = (counts: (pod: Pod) => boolean): number => pods.filter(counts).length;
  const waits = pods.flatMap((pod) => untilAvailableMs(pod, spec.minReadySeconds ?? 0, clock.wallMs()) ?? []);
  const [next] = waits.filter((ms) => ms > 0).sort((a, b) => a - b);
  if (next !== undefined) again(next);
  const { replicas = 1 } = spec;
  const has = (revision: typeof update) => (pod: Pod) => isActive(pod) && revisionOf(pod) === nameOf(revision);
  const readyReplicas = count(isReady);
  const updatedReplicas = count(has(update));
  const isComplete = updatedReplicas === replicas && readyReplicas === replicas && pods.length === replicas;
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: pods.length,
    readyReplicas,
    availableReplicas: waits.filter((ms) => ms <= 0).length,
    updatedReplicas,
    currentReplicas: isComplete ? updatedReplicas : count(has(current)),
    currentRevision: nameOf(isComplete ? update : current),
    updateRevision: nameOf(update),
    collisionCount: status?.collisionCount ?? 0,
  };
}
