/** Plays the workload controllers and the nodes of a cluster, so that tools that wait for pods can be tried without one. */
import { type ApiObjectLike, type Cache, keyOf } from '../../client/index.js';
import type { Controller } from '../controller.js';
import type { CacheOf } from '../kit/cache.js';
import { type ControllerContext, defineController } from '../kit/define-controller.js';
import { watch } from '../kit/watch.js';
import { reconcileDeployment } from './deployments.js';
import { reconcileJob } from './jobs.js';
import { Given, podKey, reconcilePod, waitsForNode } from './node-agent.js';
import { keepNodes, type SimulatedNodes } from './nodes.js';
import { controllerOf } from './owned.js';
import { reconcileReplicaSet } from './replica-sets.js';
import { deployments, jobs, nodes, pods, replicaSets, statefulSets } from './resources.js';
import { reconcileStatefulSet } from './stateful-sets.js';
import type { Pod } from './types.js';
import type { Reconcile } from './work.js';

/** By the kind of what is brought to what it wants. */
const reconcilers: Readonly<Record<string, Reconcile>> = {
  Deployment: reconcileDeployment,
  ReplicaSet: reconcileReplicaSet,
  Job: reconcileJob,
  StatefulSet: reconcileStatefulSet,
};

/** A key is a kind, and the key of an object of it: `Job default/once`. */
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

/** That of the object, and that of the workload that keeps it. */
function* keysOf(kind: string, object: ApiObjectLike): Generator<string> {
  yield `${kind} ${keyOf(object)}`;
  const owner = controllerOf(object);
  if (owner !== undefined && owner.kind in reconcilers) {
    yield `${owner.kind} ${object.metadata.namespace ?? ''}/${owner.name}`;
  }
}

/** As well as that of the deployment that waits for old pods to be gone. */
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
