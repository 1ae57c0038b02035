/** The replica sets of a deployment: one for each template that it has had, numbered in the order of use. */
import { controlledBy, createResourceClient, isAlreadyExists, isControlledBy } from '../../client/index.js';
import { shortHash } from '../../client/short-hash.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { canonicalText, isSame } from './canonical.js';
import { millisecondsOf } from './conditions.js';
import { selectorText } from './pods-of.js';
import { deployments, replicaSets } from './resources.js';
import type { Deployment, PodTemplate, ReplicaSet } from './types.js';
import type { Work } from './work.js';

/** The label for the template of a pod. */
const hashLabel = 'pod-template-hash';

/** The annotation of kubectl. It is the same under both namings. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The replica sets of a deployment. */
export interface Sets {
  /** The set of the current template; `undefined` before it is created. */
  readonly newSet: ReplicaSet | undefined;
  /** Oldest first. */
  readonly oldSets: readonly ReplicaSet[];
}

export async function setsOf(deployment: Deployment, work: Work): Promise<Sets> {
  const labelSelector = selectorText(deployment.spec?.selector);
  const { items } = await setsBeside(work).list({ labelSelector, signal: work.signal });
  const own = items.filter((set) => isControlledBy(set, deployment)).sort((a, b) => createdAt(a) - createdAt(b));
  const template = canonicalText(withoutHash(deployment.spec?.template));
  const newSet = own.find(({ spec }) => canonicalText(withoutHash(spec?.template)) === template);
  return { newSet, oldSets: own.filter((set) => set !== newSet) };
}

const setsBeside = ({ client, namespace }: Work) => createResourceClient(replicaSets, client).in(namespace);

const createdAt = ({ metadata }: ReplicaSet): number => millisecondsOf(metadata.creationTimestamp);

function withoutHash({ metadata = {}, spec }: PodTemplate = {}): PodTemplate {
  const { [hashLabel]: _hash, ...labels } = metadata.labels ?? {};
  const { annotations = {} } = metadata;
  return { metadata: { labels, annotations }, spec };
}

export const revisionOf = ({ metadata }: ReplicaSet | Deployment, work: Work): number =>
  Number(metadata.annotations?.[revisionKey(work)] ?? 0) || 0;

const revisionKey = ({ rename }: Work): string => rename('deployment.platform.io/revision');

/**
 * Creates the set of the current template. If another object has its name, counts a collision in the deployment, so
 * that the next attempt uses another name.
 */
export async function makeSet(deployment: Deployment, replicas: number, sets: Sets, work: Work): Promise<ReplicaSet> {
  const { spec = {}, metadata, status } = deployment;
  const { template = {}, selector = {}, minReadySeconds = 0 } = spec;
  const collisions = status?.collisionCount ?? 0;
  const hash = shortHash(`${canonicalText(withoutHash(template))}${collisions === 0 ? '' : collisions}`);
  const mark = { [hashLabel]: hash };
  const labels = { ...template.metadata?.labels, ...mark };
  try {
    return await setsBeside(work).create(
      {
        metadata: {
          name: `${metadata.name}-${hash}`,
          labels,
          annotations: annotationsOf(deployment, nextRevision(sets, work), work),
          ownerReferences: [controlledBy(deployment)],
        },
        spec: {
          replicas,
          minReadySeconds,
          selector: { ...selector, matchLabels: { ...selector.matchLabels, ...mark } },
          template: { ...template, metadata: { ...template.metadata, labels } },
        },
      },
      { signal: work.signal },
    );
  } catch (error) {
    if (isAlreadyExists(error)) await countCollision(deployment, collisions + 1, work);
    throw error;
  }
}

async function countCollision({ metadata }: Deployment, collisionCount: number, work: Work): Promise<void> {
  const { name = '', resourceVersion = '' } = metadata;
  const beside = createResourceClient(deployments, work.client).in(work.namespace);
  const change = { metadata: { resourceVersion }, status: { collisionCount } };
  await beside.subresource('status').patch(name, change, { signal: work.signal });
}

const nextRevision = ({ oldSets }: Sets, work: Work): number =>
  Math.max(0, ...oldSets.map((set) => revisionOf(set, work))) + 1;

/**
 * Returns the annotations of a set: its revision number, and its deployment's annotations, such as the change cause.
 */
function annotationsOf({ metadata }: Deployment, revision: number, work: Work): Record<string, string> {
  const { [lastApplied]: _applied, ...own } = metadata.annotations ?? {};
  return { ...own, [revisionKey(work)]: String(revision) };
}

/**
 * Makes the current set the latest revision, copies the deployment's annotations, and writes the number to the
 * deployment.
 */
export async function numberRevision(
  deployment: Deployment,
  newSet: ReplicaSet,
  sets: Sets,
  work: Work,
): Promise<void> {
  const { signal } = work;
  const revision = Math.max(revisionOf(newSet, work), nextRevision(sets, work));
  const wanted = { ...newSet.metadata.annotations, ...annotationsOf(deployment, revision, work) };
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  if (!isSame(wanted, newSet.metadata.annotations ?? {}) || minReadySeconds !== (newSet.spec?.minReadySeconds ?? 0)) {
    const change = { metadata: { annotations: wanted }, spec: { minReadySeconds } };
    await setsBeside(work).patch(newSet.metadata.name ?? '', change, { signal });
  }
  if (revisionOf(deployment, work) === revision) return;
  const annotations = { [revisionKey(work)]: String(revision) };
  const beside = createResourceClient(deployments, work.client).in(work.namespace);
  await beside.patch(work.name, { metadata: { annotations } }, { signal }).catch(ignoreNotFound);
}

/** Changes the size of a set. Does nothing if somebody else has changed the set. */
export async function resizeSet({ metadata }: ReplicaSet, replicas: number, work: Work): Promise<void> {
  const { name = '', resourceVersion = '' } = metadata;
  await setsBeside(work).patch(name, { metadata: { resourceVersion }, spec: { replicas } }, { signal: work.signal });
}

/** Deletes the oldest sets without pods, beyond the number that the deployment keeps. */
export async function forgetOldSets({ spec }: Deployment, { oldSets }: Sets, work: Work): Promise<void> {
  const empty = oldSets.filter(
    ({ metadata, spec, status }) =>
      (spec?.replicas ?? 1) === 0 && (status?.replicas ?? 0) === 0 && metadata.deletionTimestamp === undefined,
  );
  const surplus = empty
    .sort((a, b) => revisionOf(a, work) - revisionOf(b, work))
    .slice(0, Math.max(0, oldSets.length - (spec?.revisionHistoryLimit ?? 10)));
  for (const { metadata } of surplus) {
    const { name = '', uid = '' } = metadata;
    await setsBeside(work).delete(name, { preconditions: { uid }, signal: work.signal }).catch(ignoreNotFound);
  }
}
