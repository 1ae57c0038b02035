/** Brings a deployment from one template to the next, a few pods at a time, and to the size that it wants. */
import { createResourceClient } from '../../client/index.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { deploymentStatus } from './deployment-status.js';
import { isFinished } from './pod-state.js';
import { podsOf } from './pods-of.js';
import { deployments } from './resources.js';
import { forgetOldSets, makeSet, numberRevision, resizeSet, type Sets, setsOf } from './revisions.js';
import { boundsOf, newSize, nextSizes, type RollingSet, type Rollout } from './rollout-plan.js';
import type { Deployment, ReplicaSet } from './types.js';
import { type Reconcile, type Work, writeStatus } from './work.js';

export const reconcileDeployment: Reconcile = async (work) => {
  const beside = createResourceClient(deployments, work.client).in(work.namespace);
  const deployment = await beside.get(work.name, { signal: work.signal }).catch(ignoreNotFound);
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
  const found = await setsOf(deployment, work);
  const sets = deployment.spec?.paused === true ? found : await withNewSet(deployment, found, work);
  const { newSet } = sets;
  if (newSet) await numberRevision(deployment, newSet, sets, work);
  if (deployment.spec?.paused === true) await resizeOnly(deployment, sets, work);
  else await rollOn(deployment, sets, work);
  const latest = await beside.get(work.name, { signal: work.signal }).catch(ignoreNotFound);
  if (latest === undefined) return;
  const { status, isComplete } = deploymentStatus(latest, sets, work);
  await writeStatus(beside.subresource('status'), latest, status, work);
  if (isComplete) await forgetOldSets(latest, sets, work);
};

const sizeOf = ({ spec }: Deployment | ReplicaSet): number => spec?.replicas ?? 1;

/** The sets with that of the present template, unless the pods of others have to go first. */
async function withNewSet(deployment: Deployment, sets: Sets, work: Work): Promise<Sets> {
  if (sets.newSet) return sets;
  const isRecreated = deployment.spec?.strategy?.type === 'Recreate';
  if (isRecreated && (await stillRun(sets.oldSets, work))) return sets;
  const empty = { name: '', replicas: 0, available: 0 };
  const size = isRecreated ? sizeOf(deployment) : newSize(rolloutOf(deployment, empty, sets.oldSets));
  return { ...sets, newSet: await makeSet(deployment, size, sets, work) };
}

/** Whether a set has pods that have not finished, those that are being deleted included. */
async function stillRun(sets: readonly ReplicaSet[], work: Work): Promise<boolean> {
  for (const set of sets) if ((await podsOf(set, work)).some((pod) => !isFinished(pod))) return true;
  return false;
}

async function rollOn(deployment: Deployment, { newSet, oldSets }: Sets, work: Work): Promise<void> {
  const sizes =
    deployment.spec?.strategy?.type === 'Recreate' || newSet === undefined
      ? await recreate(deployment, { newSet, oldSets }, work)
      : nextSizes(rolloutOf(deployment, rolling(newSet), oldSets));
  for (const set of [...(newSet ? [newSet] : []), ...oldSets]) {
    const size = sizes.get(set.metadata.name ?? '');
    if (size !== undefined && size !== sizeOf(set)) await resizeSet(set, size, work);
  }
}

/** All old pods go, and once they have gone the new ones come. */
async function recreate(
  deployment: Deployment,
  { newSet, oldSets }: Sets,
  work: Work,
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map(oldSets.map(({ metadata }) => [metadata.name ?? '', 0]));
  if (newSet && !(await stillRun(oldSets, work))) sizes.set(newSet.metadata.name ?? '', sizeOf(deployment));
  return sizes;
}

/** A deployment that is paused keeps its templates; where one set has pods, it gets the size that is wanted. */
async function resizeOnly(deployment: Deployment, { newSet, oldSets }: Sets, work: Work): Promise<void> {
  const all = [...oldSets, ...(newSet ? [newSet] : [])];
  const active = all.filter((set) => sizeOf(set) > 0);
  const [only = newSet ?? oldSets.at(-1)] = active;
  if (active.length > 1 || only === undefined || sizeOf(only) === sizeOf(deployment)) return;
  await resizeSet(only, sizeOf(deployment), work);
}

const rolling = (set: ReplicaSet): RollingSet => ({
  name: set.metadata.name ?? '',
  replicas: sizeOf(set),
  available: set.status?.availableReplicas ?? 0,
});

function rolloutOf(deployment: Deployment, newSet: RollingSet, oldSets: readonly ReplicaSet[]): Rollout {
  const replicas = sizeOf(deployment);
  const bounds = boundsOf(replicas, deployment.spec?.strategy?.rollingUpdate);
  return { replicas, ...bounds, newSet, oldSets: oldSets.map(rolling) };
}
