/** Creates the pods of a stateful set one after the other, and replaces them from the last to the first. */
import { controlledBy, createResourceClient, isAlreadyExists, isControlledBy } from '../../client/index.js';
import { shortHash } from '../../client/short-hash.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { canonicalText } from './canonical.js';
import { isActive, isFinished, isReady, untilAvailableMs } from './pod-state.js';
import { deletePods, podsOf, selectorText } from './pods-of.js';
import { claims, controllerRevisions, pods, statefulSets } from './resources.js';
import type { ControllerRevision, Pod, PodTemplate, StatefulSet, StatefulSetStatus } from './types.js';
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

/** Creates, deletes or replaces what is possible now. These changes queue the set again. */
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

/** Returns the revision for an ordinal. Pods below the partition stay as they are. */
const revisionFor = (set: StatefulSet, ordinal: number, { current, update }: SetRevisions) =>
  ordinal < partitionOf(set) + (set.spec?.ordinals?.start ?? 0) ? current : update;

/**
 * Deletes the last pod with another template, once the pods after it are ready. The set then creates it again, from the
 * current template.
 */
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

/** The label with the revision of a pod. */
const revisionLabel = 'controller-revision-hash';

/** The two revisions during an update. */
interface SetRevisions {
  /** The revision of the pods when the set was last complete. */
  readonly current: ControllerRevision;
  /** The revision of the current template. */
  readonly update: ControllerRevision;
  readonly all: readonly ControllerRevision[];
}

const beside = ({ client, namespace }: Work) => createResourceClient(controllerRevisions, client).in(namespace);

const nameOf = ({ metadata }: ControllerRevision): string => metadata.name ?? '';

const templateOf = ({ data }: ControllerRevision): PodTemplate => data?.spec.template ?? {};

/** Finds the revisions. Creates the one of the current template, or makes it the latest again. */
async function revisionsOf(set: StatefulSet, work: Work): Promise<SetRevisions> {
  const labelSelector = selectorText(set.spec?.selector);
  const { items } = await beside(work).list({ labelSelector, signal: work.signal });
  const all = items.filter((each) => isControlledBy(each, set)).sort((a, b) => numberOf(a) - numberOf(b));
  const update = await latest(set, all, work);
  const current = all.find((each) => nameOf(each) === set.status?.currentRevision) ?? update;
  return { current, update, all };
}

const numberOf = ({ revision }: ControllerRevision): number => Number(revision ?? 0);

async function latest(set: StatefulSet, all: readonly ControllerRevision[], work: Work): Promise<ControllerRevision> {
  // Clients roll a set back by sending the data of a revision as a patch.
  const data = { spec: { template: { ...set.spec?.template, $patch: 'replace' } } };
  const text = canonicalText(data);
  const found = all.find((each) => canonicalText(each.data) === text);
  const revision = Math.max(0, ...all.map(numberOf)) + 1;
  const { signal } = work;
  if (found === undefined) {
    const hash = shortHash(text);
    const labels = { ...set.spec?.template?.metadata?.labels, [revisionLabel]: hash };
    const metadata = { name: `${set.metadata.name}-${hash}`, labels, ownerReferences: [controlledBy(set)] };
    return beside(work).create({ metadata, data, revision }, { signal });
  }
  return found === all.at(-1) ? found : beside(work).patch(nameOf(found), { revision }, { signal });
}

/** Deletes the oldest revisions without pods, beyond the number that the set keeps. */
async function forgetOldRevisions(
  { spec }: StatefulSet,
  { all, current, update }: SetRevisions,
  used: ReadonlySet<string>,
  work: Work,
): Promise<void> {
  const kept = new Set([...used, nameOf(current), nameOf(update)]);
  const old = all.filter((each) => !kept.has(nameOf(each)));
  for (const each of old.slice(0, Math.max(0, old.length - (spec?.revisionHistoryLimit ?? 10)))) {
    await beside(work).delete(nameOf(each), { signal: work.signal }).catch(ignoreNotFound);
  }
}

// The pods of a stateful set by ordinal: their names, and their creation together with their claims.

const podNameLabel = 'statefulset.platform.io/pod-name';

const podName = ({ metadata }: StatefulSet, ordinal: number): string => `${metadata.name}-${ordinal}`;

/** Returns the ordinal at the end of a name; -1 without one. */
function ordinalOf({ metadata }: Pod): number {
  const digits = /-(\d+)$/.exec(metadata.name ?? '')?.[1];
  return digits === undefined ? -1 : Number(digits);
}

/** Creates the missing claims of a pod, and the pod from a revision's template. */
async function makeOrdinalPod(
  set: StatefulSet,
  ordinal: number,
  revision: ControllerRevision,
  work: Work,
): Promise<void> {
  const { client, namespace, signal, rename } = work;
  const name = podName(set, ordinal);
  const mounted = await makeClaims(set, name, work);
  const { metadata = {}, spec = {} } = templateOf(revision);
  const labels = { ...metadata.labels, [revisionLabel]: nameOf(revision), [rename(podNameLabel)]: name };
  const volumes = [
    ...(spec.volumes ?? []).filter((each) => mounted.every((one) => one.name !== each.name)),
    ...mounted,
  ];
  const pod = {
    metadata: { name, labels, annotations: metadata.annotations ?? {}, ownerReferences: [controlledBy(set)] },
    spec: { ...spec, hostname: name, subdomain: set.spec?.serviceName ?? '', volumes },
  };
  await createResourceClient(pods, client).in(namespace).create(pod, { signal });
}

/** Creates the claims of a pod. Resolves to the volumes that mount them. */
async function makeClaims({ spec = {} }: StatefulSet, pod: string, { client, namespace, signal }: Work) {
  const beside = createResourceClient(claims, client).in(namespace);
  const volumes: { name: string; persistentVolumeClaim: { claimName: string } }[] = [];
  for (const { metadata = {}, spec: wanted = {} } of spec.volumeClaimTemplates ?? []) {
    const claimName = `${metadata.name}-${pod}`;
    const { annotations = {} } = metadata;
    const labels = { ...metadata.labels, ...spec.selector?.matchLabels };
    const claim = { metadata: { name: claimName, labels, annotations }, spec: wanted };
    // The claim of an earlier pod with this name stays in use.
    await beside.create(claim, { signal }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    volumes.push({ name: metadata.name ?? '', persistentVolumeClaim: { claimName } });
  }
  return volumes;
}
