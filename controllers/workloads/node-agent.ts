/** Does with pods what a scheduler and nodes do, as far as the API shows it: no container ever runs. */
import { createResourceClient, isConflict, isNotFound, keyOf } from '../../client/index.js';
import type { ControllerContext } from '../kit/define-controller.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { timeOf, withCondition } from './conditions.js';
import { simulatedLabel } from './nodes.js';
import { isFinished } from './pod-state.js';
import { nodes, pods } from './resources.js';
import type { Condition, Container, Node, Pod, PodStatus } from './types.js';

const isSimulated = ({ metadata }: Node): boolean => metadata.labels?.[simulatedLabel] === 'true';

/** The addresses and times that the agent has given to pods. After a restart it reads those that it needs from the pods. */
export class Given {
  readonly addresses = new PodAddresses();
  readonly nodes = new Assignments();
  readonly ends = new PodEnds();

  release(key: string): void {
    this.addresses.release(key);
    this.nodes.release(key);
    this.ends.release(key);
  }
}

/** The key of a pod in the queue of the controller, which holds other kinds as well. */
export const podKey = (key: string): string => `Pod ${key}`;

/** Takes a pod one step further: to a node, to running, to its end, out of the world. The change that makes is the next. */
export async function reconcilePod(key: string, given: Given, context: ControllerContext): Promise<void> {
  const pod = context.cacheOf(pods).get(key);
  if (pod === undefined) {
    given.release(key);
    return;
  }
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') {
    if (waitsForNode(pod)) await bind(key, pod, given.nodes, context);
    return;
  }
  const node = context.cacheOf(nodes).get(nodeName);
  if (node === undefined || !isSimulated(node)) return;
  if (pod.metadata.deletionTimestamp !== undefined) await end(key, pod, given.ends, context);
  else if (!isFinished(pod)) await live(key, pod, node, given.addresses, context);
}

/** Whether it is for the scheduler that comes with a cluster to find a node for a pod. */
export const waitsForNode = ({ metadata, spec = {} }: Pod): boolean =>
  (spec.nodeName ?? '') === '' &&
  metadata.deletionTimestamp === undefined &&
  (spec.schedulerName ?? 'default-scheduler') === 'default-scheduler' &&
  (spec.schedulingGates ?? []).length === 0;

/** Of the nodes that take pods and that the pod selects, the one with the fewest gets it. */
async function bind(
  key: string,
  { metadata, spec = {} }: Pod,
  assignments: Assignments,
  { client, cacheOf, signal }: ControllerContext,
): Promise<void> {
  const { name = '', namespace = '' } = metadata;
  const taken = assignments.count(cacheOf(pods).values());
  const wanted = Object.entries(spec.nodeSelector ?? {});
  const [node] = [...cacheOf(nodes).values()]
    .filter((each) => isSimulated(each) && each.spec?.unschedulable !== true)
    .filter(({ metadata: { labels = {} } }) => wanted.every(([key, value]) => labels[key] === value))
    .map(({ metadata }) => metadata.name ?? '')
    .sort((a, b) => (taken.get(a) ?? 0) - (taken.get(b) ?? 0));
  // A node that comes or changes has the pods without one looked at again.
  if (node === undefined) return;
  assignments.give(key, node);
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } };
  const beside = createResourceClient(pods, client).in(namespace);
  await beside.subresource('binding').create<typeof binding>(name, binding, { signal }).catch(ignoreOvertaken);
}

async function end(key: string, { metadata }: Pod, ends: PodEnds, context: ControllerContext): Promise<void> {
  const { name = '', namespace = '', uid = '', deletionGracePeriodSeconds } = metadata;
  const { client, signal, queue } = context;
  // The finalizers of others hold it.
  if (Number(deletionGracePeriodSeconds) === 0) return;
  if (!ends.isOver(key, uid, () => queue.add(podKey(key)))) return;
  const options = { gracePeriodSeconds: 0, preconditions: { uid }, signal };
  await createResourceClient(pods, client).in(namespace).delete(name, options).catch(ignoreOvertaken);
}

async function live(
  key: string,
  pod: Pod,
  node: Node,
  addresses: PodAddresses,
  { client, cacheOf, clock, signal }: ControllerContext,
): Promise<void> {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const now = timeOf(clock);
  const hostIP = node.status?.addresses?.[0]?.address ?? '';
  const ownAddress = () => pod.status?.podIP ?? addresses.take(key, cacheOf(pods).values());
  const podIP = pod.spec?.hostNetwork === true ? hostIP : ownAddress();
  const isRunning = pod.status?.phase === 'Running';
  const ends = (pod.spec?.restartPolicy ?? 'Always') !== 'Always';
  if (isRunning && !ends) return;
  const status = isRunning ? succeeded(pod, now) : running(pod, { hostIP, podIP, now });
  const change = { metadata: { uid }, status };
  await createResourceClient(pods, client)
    .in(namespace)
    .subresource('status')
    .patch(name, change, { signal })
    .catch(ignoreNotFound);
}

const withConditions = (pod: Pod, wanted: readonly Condition[], now: string): Condition[] =>
  wanted.reduce<Condition[]>((all, one) => withCondition(all, one, now), pod.status?.conditions ?? []);

function running(pod: Pod, at: { readonly hostIP: string; readonly podIP: string; readonly now: string }): PodStatus {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const wanted = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({ type, status: 'True' }));
  return {
    phase: 'Running',
    conditions: withConditions(pod, wanted, at.now),
    hostIP: at.hostIP,
    podIP: at.podIP,
    podIPs: [{ ip: at.podIP }],
    startTime: pod.status?.startTime ?? at.now,
    containerStatuses: containers.map((container) => containerStatus(container, { running: { startedAt: at.now } })),
    ...(initContainers.length > 0 && {
      initContainerStatuses: initContainers.map((container) => containerStatus(container, ended(at.now, at.now))),
    }),
  };
}

function succeeded(pod: Pod, now: string): PodStatus {
  const reason = 'PodCompleted';
  const notReady = ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'False', reason }));
  const wanted = [{ type: 'Initialized', status: 'True', reason }, ...notReady];
  const startedAt = pod.status?.startTime ?? now;
  return {
    phase: 'Succeeded',
    conditions: withConditions(pod, wanted, now),
    containerStatuses: (pod.spec?.containers ?? []).map((each) => containerStatus(each, ended(startedAt, now))),
  };
}

const ended = (startedAt: string, finishedAt: string): object => ({
  terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt },
});

const containerStatus = ({ name, image = '' }: Container, state: object): object => ({
  name,
  image,
  imageID: `simulated://${image}`,
  containerID: `simulated://${name}`,
  restartCount: 0,
  ready: 'running' in state,
  started: 'running' in state,
  state,
});

/** Somebody else was faster, and what came of it is told as a change. */
function ignoreOvertaken(error: unknown): void {
  if (!isConflict(error) && !isNotFound(error)) throw error;
}

class Assignments {
  readonly #given = new Map<string, string>();

  give(key: string, node: string): void {
    this.#given.set(key, node);
  }

  release(key: string): void {
    this.#given.delete(key);
  }

  /** How many pods each node has. */
  count(pods: Iterable<Pod>): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const pod of pods) {
      const node = pod.spec?.nodeName ?? this.#given.get(keyOf(pod));
      if (node !== undefined) counts.set(node, (counts.get(node) ?? 0) + 1);
    }
    return counts;
  }
}

/**
 * Milliseconds. A client that waits for the end of a pod reads it and then watches; where another one of the same name has
 * come in between, kubectl waits for ever.
 */
const endingMs = 100;

/** The pods that are ending, by their keys. */
export class PodEnds {
  readonly #ending = new Map<string, { readonly uid: string; isOver: boolean }>();

  /** Whether a pod has had its moment; `again` is called once it has, by real time whatever clock others have. */
  isOver(key: string, uid: string, again: () => void): boolean {
    const known = this.#ending.get(key);
    if (known?.uid === uid) return known.isOver;
    const ending = { uid, isOver: false };
    this.#ending.set(key, ending);
    setTimeout(() => {
      ending.isOver = true;
      again();
    }, endingMs).unref();
    return false;
  }

  /** Called when there is no such pod any more. */
  release(key: string): void {
    this.#ending.delete(key);
  }
}

/** Addresses from 10.128.0.1 on; there are 8,388,608, so the first are free again long before the last is given away. */
const size = 2 ** 23;

class PodAddresses {
  readonly #taken = new Map<string, string>();
  #next: number | undefined;

  /** The address of the pod of a key; `pods` are those that may have one from earlier. */
  take(key: string, pods: Iterable<Pod>): string {
    const own = this.#taken.get(key);
    if (own !== undefined) return own;
    this.#next ??= 1 + Math.max(0, ...[...pods].map(({ status }) => numberOf(status?.podIP)));
    const address = addressOf(this.#next);
    this.#next = (this.#next + 1) % size;
    this.#taken.set(key, address);
    return address;
  }

  release(key: string): void {
    this.#taken.delete(key);
  }
}

const addressOf = (number: number): string => `10.${128 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

/** The number of an address that was given away here; 0 for others. */
function numberOf(address = ''): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = address.split('.').map(Number);
  return first === 10 && second >= 128 ? ((second - 128) << 16) + (third << 8) + fourth : 0;
}
