/** Creates the simulated nodes, and renews their leases. */
import { putCondition } from '../../client/conditions.js';
import { type Clock, createResourceClient, defineResource, isAlreadyExists, sleep } from '../../client/index.js';
import type { ControllerContext } from '../../controllers/kit/define-controller.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { conditionOf, millisecondsOf, timeOf } from './conditions.js';
import { nodes } from './resources.js';
import type { Condition, Lease, Node, NodeStatus } from './types.js';

/** The label of simulated nodes. */
export const simulatedLabel = 'kindforge.dev/simulated';

export interface SimulatedNodes {
  /** The number of nodes. */
  readonly count: number;
  readonly rename: (platformName: string) => string;
  /** The namespace of the leases of nodes. */
  readonly leaseNamespace: string;
}

/** The interval at which a node renews its lease, and the duration of the lease, milliseconds. */
const renewMs = 10_000;
const leaseSeconds = 40;

/** The interval at which a node updates its status, milliseconds. */
const statusMs = 300_000;

const leases = defineResource<Lease>()({
  group: 'coordination.platform.io',
  kubernetesGroup: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  scope: 'Namespaced',
  subresources: [],
} as const);

/** Keeps the nodes until the signal is aborted. Creates deleted nodes again. */
export async function keepNodes(choice: SimulatedNodes, context: ControllerContext): Promise<void> {
  const { signal, clock, onError } = context;
  while (!signal.aborted) {
    for (let number = 1; number <= choice.count && !signal.aborted; number++) {
      try {
        await keepNode(number, choice, context);
      } catch (error) {
        if (!signal.aborted) onError(nameOf(number), error);
      }
    }
    await sleep(renewMs, signal, clock);
  }
}

const nameOf = (number: number): string => `simulated-${number}`;
const addressOf = (number: number): string => `10.127.${number >> 8}.${number & 255}`;

async function keepNode(number: number, choice: SimulatedNodes, context: ControllerContext): Promise<void> {
  const { client, clock, signal } = context;
  const name = nameOf(number);
  const all = createResourceClient(nodes, client);
  const node = (await all.get(name, { signal }).catch(ignoreNotFound)) ?? (await makeNode(name, choice, context));
  const ready = conditionOf(node.status?.conditions, 'Ready');
  const saidAt = millisecondsOf(ready?.lastHeartbeatTime);
  if (ready?.status !== 'True' || clock.wallMs() - saidAt >= statusMs) {
    const status = statusOf(node, addressOf(number), clock);
    await all.subresource('status').patch(name, { status }, { signal });
  }
  const notReady = choice.rename('node.platform.io/not-ready');
  const taints = node.spec?.taints ?? [];
  if (taints.some(({ key }) => key === notReady)) {
    await all.patch(name, { spec: { taints: taints.filter(({ key }) => key !== notReady) } }, { signal });
  }
  await renewLease(node, choice, context);
}

function makeNode(name: string, { rename }: SimulatedNodes, { client, signal }: ControllerContext): Promise<Node> {
  const labels = {
    [simulatedLabel]: 'true',
    [rename('platform.io/hostname')]: name,
    [rename('platform.io/os')]: 'linux',
    [rename('platform.io/arch')]: 'amd64',
  };
  return createResourceClient(nodes, client).create({ metadata: { name, labels } }, { signal });
}

function statusOf({ status }: Node, address: string, clock: Clock): NodeStatus {
  const now = timeOf(clock);
  const resources = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '1000' };
  const conditions = wellNode.reduce<Condition[]>(
    (all, condition) => putCondition(all, { ...condition, lastHeartbeatTime: now }, now),
    status?.conditions ?? [],
  );
  return {
    capacity: resources,
    allocatable: resources,
    conditions,
    addresses: [{ type: 'InternalIP', address }],
    nodeInfo: {
      machineID: 'simulated',
      systemUUID: 'simulated',
      bootID: 'simulated',
      kernelVersion: 'simulated',
      osImage: 'simulated by Kindforge',
      containerRuntimeVersion: 'simulated://1.0',
      kubeletVersion: 'v1.27.0-simulated',
      kubeProxyVersion: 'v1.27.0-simulated',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

const wellNode: readonly Condition[] = [
  { type: 'MemoryPressure', status: 'False', reason: 'Simulated', message: 'the node is simulated' },
  { type: 'DiskPressure', status: 'False', reason: 'Simulated', message: 'the node is simulated' },
  { type: 'PIDPressure', status: 'False', reason: 'Simulated', message: 'the node is simulated' },
  { type: 'Ready', status: 'True', reason: 'Simulated', message: 'the node is simulated' },
];

async function renewLease(
  { apiVersion, kind, metadata }: Node,
  { leaseNamespace, rename }: SimulatedNodes,
  { client, clock, signal }: ControllerContext,
): Promise<void> {
  const { name = '', uid = '' } = metadata;
  const served = { ...leases, group: rename(leases.group) };
  const beside = createResourceClient(served, client).in(leaseNamespace);
  const renewTime = new Date(clock.wallMs()).toISOString().replace(/Z$/, '000Z');
  const spec = { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime };
  const found = await beside.patch(name, { spec }, { signal }).catch(ignoreNotFound);
  if (found !== undefined) return;
  const ownerReferences = [{ apiVersion, kind, name, uid }];
  await beside.create({ metadata: { name, ownerReferences }, spec }, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
