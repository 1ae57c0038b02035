/** Simulates the workload controllers and the nodes of a cluster, to try tools that wait for pods without a cluster. */
import { putCondition } from '../../client/conditions.js';
import {
  ApiError,
  type ApiObjectLike,
  type Cache,
  controllerOf,
  createResourceClient,
  keyOf,
} from '../../client/index.js';
import type { Controller } from '../../controllers/controller.js';
import type { CacheOf } from '../../controllers/kit/cache.js';
import { type ControllerContext, defineController } from '../../controllers/kit/define-controller.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { watch } from '../../controllers/kit/watch.js';
import { timeOf, withoutCondition } from './conditions.js';
import { deploymentStatus } from './deployment-status.js';
import { reconcileJob } from './jobs.js';
import { Given, podKey, reconcilePod, waitsForNode } from './node-agent.js';
import { keepNodes, type SimulatedNodes } from './nodes.js';
import { isActive, isFinished, isReady, leastMissedFirst, untilAvailableMs } from './pod-state.js';
import { alike, deletePods, makePods, podsOf } from './pods-of.js';
import { deployments, jobs, nodes, pods, replicaSets, statefulSets } from './resources.js';
import { forgetOldSets, makeSet, numberRevision, resizeSet, type Sets, setsOf } from './revisions.js';
import { boundsOf, newSize, nextSizes, type RollingSet, type Rollout } from './rollout-plan.js';
import { reconcileStatefulSet } from './stateful-sets.js';
import type { Deployment, Pod, ReplicaSet, ReplicaSetStatus } from './types.js';
import { type Reconcile, type Work, writeStatus } from './work.js';

/** Defines the controller. A key has a kind, and the key of an object of this kind: `Job default/once`. */
export function defineSimulatedWorkloads(choice: SimulatedNodes): Controller {
  const given = new Given();
  return defineController({
    name: 'workloads-simulated',
    watches: [
      watch(deployments, { keysOf: (object) => keysOf('Deployment', object) }),
      watch(replicaSets, { keysOf: (object) => keysOf('ReplicaSet', object) }),
      watch(statefulSets, { keysOf: (object) => keysOf('StatefulSet', object) }),
      watch(jobs, { keysOf: (object) => keysOf('Job', object) }),
      watch(pods, { keysOf: keysOfPod }),
      watch(nodes, { keysOf: (_node, cacheOf) => withoutNode(cacheOf(pods)) }),
    ],
    workers: 10,
    beside: (context) => keepNodes(choice, context),
    async reconcile(key, context) {
      const [kind = '', object = ''] = key.split(' ');
      if (kind === 'Pod') await reconcilePod(object, given, context);
      else await reconcilers[kind]?.(workOf(key, object, choice, context));
    },
  });
}

function workOf(key: string, object: string, { rename }: SimulatedNodes, context: ControllerContext) {
  const { client, clock, signal, queue } = context;
  const [namespace = '', name = ''] = object.split('/');
  return { namespace, name, client, clock, signal, rename, again: (ms: number) => queue.addAfter(key, ms) };
}

/** Yields the key of the object and the key of its owner. */
function* keysOf(kind: string, object: ApiObjectLike): Generator<string> {
  yield `${kind} ${keyOf(object)}`;
  const owner = controllerOf(object);
  if (owner !== undefined && owner.kind in reconcilers) {
    yield `${owner.kind} ${object.metadata.namespace ?? ''}/${owner.name}`;
  }
}

/** Yields the keys of a pod, and the key of a deployment that waits until old pods are gone. */
function* keysOfPod(pod: Pod, cacheOf: CacheOf): Generator<string> {
  yield* keysOf('Pod', pod);
  const { deletionTimestamp, namespace = '' } = pod.metadata;
  const owner = controllerOf(pod);
  if (deletionTimestamp === undefined || owner?.kind !== 'ReplicaSet') return;
  const set = cacheOf(replicaSets).get(`${namespace}/${owner.name}`);
  const above = set && controllerOf(set);
  if (above?.kind === 'Deployment') yield `Deployment ${namespace}/${above.name}`;
}

function* withoutNode(all: Cache<Pod>): Generator<string> {
  for (const pod of all.values()) if (waitsForNode(pod)) yield podKey(keyOf(pod));
}

const reconcileDeployment: Reconcile = async (work) => {
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

/** Creates the set of the current template, unless pods of other sets must end first. */
async function withNewSet(deployment: Deployment, sets: Sets, work: Work): Promise<Sets> {
  if (sets.newSet) return sets;
  const isRecreated = deployment.spec?.strategy?.type === 'Recreate';
  if (isRecreated && (await stillRun(sets.oldSets, work))) return sets;
  const empty = { name: '', replicas: 0, available: 0 };
  const size = isRecreated ? sizeOf(deployment) : newSize(rolloutOf(deployment, empty, sets.oldSets));
  return { ...sets, newSet: await makeSet(deployment, size, sets, work) };
}

/** Resolves to whether a set has unfinished pods, including pods that are being deleted. */
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

/** Deletes all old pods, and then creates the new ones. */
async function recreate(
  deployment: Deployment,
  { newSet, oldSets }: Sets,
  work: Work,
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map(oldSets.map(({ metadata }) => [metadata.name ?? '', 0]));
  if (newSet && !(await stillRun(oldSets, work))) sizes.set(newSet.metadata.name ?? '', sizeOf(deployment));
  return sizes;
}

/** Resizes a paused deployment, which keeps its templates. Does nothing if more than one set has pods. */
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

const reconcileReplicaSet: Reconcile = async (work) => {
  const sets = createResourceClient(replicaSets, work.client).in(work.namespace);
  const set = await sets.get(work.name, { signal: work.signal }).catch(ignoreNotFound);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const active = (await podsOf(set, work)).filter(isActive);
  const refusal = await resize(set, active, work);
  await writeStatus(sets.subresource('status'), set, statusOf(set, active, refusal, work), work);
  if (refusal !== undefined) throw refusal;
};

/** Resolves to the server's reason for refusing a pod, such as a quota. */
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
      : putCondition(status?.conditions, failure, timeOf(clock));
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

/** By kind. */
const reconcilers: Readonly<Record<string, Reconcile>> = {
  Deployment: reconcileDeployment,
  ReplicaSet: reconcileReplicaSet,
  Job: reconcileJob,
  StatefulSet: reconcileStatefulSet,
};
