/** Does the work of a scheduler and of nodes, as far as the API shows it. No container ever runs. */
import { putCondition } from '../../client/conditions.js';
import { createResourceClient, isConflict, isNotFound, keyOf } from '../../client/index.js';
import type { ControllerContext } from '../../controllers/kit/define-controller.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { timeOf } from './conditions.js';
import { simulatedLabel } from './nodes.js';
import { isFinished } from './pod-state.js';
import { nodes, pods } from './resources.js';
import type { Condition, Container, Node, Pod, PodStatus } from './types.js';

/** The addresses and times that the agent has given to pods. After a restart it reads them from the pods. */
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

/** Returns the key of a pod in the queue. The queue has other kinds, too. */
export const podKey = (key: string): string => `Pod ${key}`;

/**
 * Takes a pod one step further: onto a node, to running, to its end, to its deletion. The change from one step starts
 * the next.
 */
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

const isSimulated = ({ metadata }: Node): boolean => metadata.labels?.[simulatedLabel] === 'true';

/** Returns whether a pod waits for the default scheduler. */
export const waitsForNode = ({ metadata, spec = {} }: Pod): boolean =>
  (spec.nodeName ?? '') === '' &&
  metadata.deletionTimestamp === undefined &&
  (spec.schedulerName ?? 'default-scheduler') === 'default-scheduler' &&
  (spec.schedulingGates ?? []).length === 0;

/** Binds a pod to one of the ready nodes that it selects: the one with the fewest pods. */
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
  // A new or changed node queues the pods without a node.
  if (node === undefined) return;
  assignments.give(key, node);
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } };
  const beside = createResourceClient(pods, client).in(namespace);
  await beside.subresource('binding').create<typeof binding>(name, binding, { signal }).catch(ignoreOvertaken);
}

async function end(key: string, { metadata }: Pod, ends: PodEnds, context: ControllerContext): Promise<void> {
  const { name = '', namespace = '', uid = '', deletionGracePeriodSeconds } = metadata;
  const { client, signal, queue } = context;
  // The pod stays while others have finalizers on it.
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
  wanted.reduce<Condition[]>((all, one) => putCondition(all, one, now), pod.status?.conditions ?? []);

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

/** Ignores that another writer was faster, because the change of that writer queues the pod again. */
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

  /** Counts the pods of each node. */
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
 * How long a pod takes to end, milliseconds. A client that waits for the end of a pod reads the pod, and then watches
 * it. If another pod with the same name appears in between, kubectl waits forever.
 */
const endingMs = 100;

/** The ending pods, by key. */
export class PodEnds {
  readonly #ending = new Map<string, { readonly uid: string; isOver: boolean }>();

  /** Returns whether a pod has had its time to end. Calls `again` when it has had this time, always by real time. */
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

  /** Forgets a pod that no longer exists. */
  release(key: string): void {
    this.#ending.delete(key);
  }
}

/**
 * The number of addresses, from 10.128.0.1 on: 8,388,608. The first ones are free again long before the last one is
 * used.
 */
const size = 2 ** 23;

class PodAddresses {
  readonly #taken = new Map<string, string>();
  #next: number | undefined;

  /** Returns the address for the pod with a key. `pods` may have addresses from before a restart. */
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

/** Returns the number of an address that this class gave out; 0 for other addresses. */
function numberOf(address = ''): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = address.split('.').map(Number);
  return first === 10 && second >= 128 ? ((second - 128) << 16) + (third << 8) + fourth : 0;
}
