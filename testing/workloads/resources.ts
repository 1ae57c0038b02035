/** The resources of simulated workloads. */
import { defineResource } from '../../client/index.js';
import type { Claim, ControllerRevision, Deployment, Job, Node, Pod, ReplicaSet, StatefulSet } from './types.js';

const namespaced = { version: 'v1', scope: 'Namespaced' } as const;

export const pods = defineResource<Pod>()({
  ...namespaced,
  group: '',
  plural: 'pods',
  kind: 'Pod',
  subresources: ['status', 'binding'],
} as const);

export const nodes = defineResource<Node>()({
  version: 'v1',
  scope: 'Cluster',
  group: '',
  plural: 'nodes',
  kind: 'Node',
  subresources: ['status'],
} as const);

export const replicaSets = defineResource<ReplicaSet>()({
  ...namespaced,
  group: 'apps',
  plural: 'replicasets',
  kind: 'ReplicaSet',
  subresources: ['status'],
} as const);

export const deployments = defineResource<Deployment>()({
  ...namespaced,
  group: 'apps',
  plural: 'deployments',
  kind: 'Deployment',
  subresources: ['status'],
} as const);

export const jobs = defineResource<Job>()({
  ...namespaced,
  group: 'batch',
  plural: 'jobs',
  kind: 'Job',
  subresources: ['status'],
} as const);

export const statefulSets = defineResource<StatefulSet>()({
  ...namespaced,
  group: 'apps',
  plural: 'statefulsets',
  kind: 'StatefulSet',
  subresources: ['status'],
} as const);

export const controllerRevisions = defineResource<ControllerRevision>()({
  ...namespaced,
  group: 'apps',
  plural: 'controllerrevisions',
  kind: 'ControllerRevision',
  subresources: [],
} as const);

export const claims = defineResource<Claim>()({
  ...namespaced,
  group: '',
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  subresources: [],
} as const);
