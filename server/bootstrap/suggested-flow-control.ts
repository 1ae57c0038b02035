/** Flow schemas and priority levels that a server starts with, and that users may change. */
import type { JsonObject } from '../../runtime/contract/index.js';

const user = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const group = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const account = (name: string): JsonObject => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'platform-system', name },
});

const allResources: JsonObject[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
];
const allPaths: JsonObject[] = [{ verbs: ['*'], nonResourceURLs: ['*'] }];

/** Specs of flow schemas by name. */
export const suggestedFlowSchemas: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  [
    'endpoint-controller',
    {
      priorityLevelConfiguration: { name: 'workload-high' },
      matchingPrecedence: 150,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [
            user('system:kube-controller-manager'),
            account('endpoint-controller'),
            account('endpointslicemirroring-controller'),
          ],
          resourceRules: [
            { verbs: ['get', 'create', 'update'], apiGroups: [''], resources: ['endpoints'], namespaces: ['*'] },
          ],
        },
      ],
    },
  ],
  [
    'global-default',
    {
      priorityLevelConfiguration: { name: 'global-default' },
      matchingPrecedence: 9900,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [group('system:unauthenticated'), group('system:authenticated')],
          resourceRules: allResources,
          nonResourceRules: allPaths,
        },
      ],
    },
  ],
  [
    'kube-controller-manager',
    {
      priorityLevelConfiguration: { name: 'workload-high' },
      matchingPrecedence: 800,
      distinguisherMethod: { type: 'ByNamespace' },
      rules: [
        { subjects: [user('system:kube-controller-manager')], resourceRules: allResources, nonResourceRules: allPaths },
      ],
    },
  ],
  [
    'kube-scheduler',
    {
      priorityLevelConfiguration: { name: 'workload-high' },
      matchingPrecedence: 800,
      distinguisherMethod: { type: 'ByNamespace' },
      rules: [{ subjects: [user('system:kube-scheduler')], resourceRules: allResources, nonResourceRules: allPaths }],
    },
  ],
  [
    'platform-system-service-accounts',
    {
      priorityLevelConfiguration: { name: 'workload-high' },
      matchingPrecedence: 900,
      distinguisherMethod: { type: 'ByNamespace' },
      rules: [{ subjects: [account('*')], resourceRules: allResources, nonResourceRules: allPaths }],
    },
  ],
  [
    'probes',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 2,
      rules: [
        {
          subjects: [group('system:unauthenticated'), group('system:authenticated')],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
        },
      ],
    },
  ],
  [
    'service-accounts',
    {
      priorityLevelConfiguration: { name: 'workload-low' },
      matchingPrecedence: 9000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects: [group('system:serviceaccounts')], resourceRules: allResources, nonResourceRules: allPaths }],
    },
  ],
  [
    'system-leader-election',
    {
      priorityLevelConfiguration: { name: 'leader-election' },
      matchingPrecedence: 100,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler'), account('*')],
          resourceRules: [
            {
              verbs: ['get', 'create', 'update'],
              apiGroups: ['coordination.platform.io'],
              resources: ['leases'],
              namespaces: ['*'],
            },
          ],
        },
      ],
    },
  ],
  [
    'system-node-high',
    {
      priorityLevelConfiguration: { name: 'node-high' },
      matchingPrecedence: 400,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [group('system:nodes')],
          resourceRules: [
            {
              verbs: ['*'],
              apiGroups: [''],
              resources: ['nodes', 'nodes/status'],
              clusterScope: true,
              namespaces: ['*'],
            },
            { verbs: ['*'], apiGroups: ['coordination.platform.io'], resources: ['leases'], namespaces: ['*'] },
          ],
        },
      ],
    },
  ],
  [
    'system-nodes',
    {
      priorityLevelConfiguration: { name: 'system' },
      matchingPrecedence: 500,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects: [group('system:nodes')], resourceRules: allResources, nonResourceRules: allPaths }],
    },
  ],
  [
    'workload-leader-election',
    {
      priorityLevelConfiguration: { name: 'leader-election' },
      matchingPrecedence: 200,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [account('*')],
          resourceRules: [
            {
              verbs: ['get', 'create', 'update'],
              apiGroups: [''],
              resources: ['endpoints', 'configmaps'],
              namespaces: ['*'],
            },
            {
              verbs: ['get', 'create', 'update'],
              apiGroups: ['coordination.platform.io'],
              resources: ['leases'],
              namespaces: ['*'],
            },
          ],
        },
      ],
    },
  ],
]);

/** The first release without each removed flow schema. */
export const flowSchemasUntil: ReadonlyMap<string, string> = new Map([
  ['endpoint-controller', '1.31'],
  ['workload-leader-election', '1.31'],
]);

/** Returns the spec of a level with queues of 50 waiting requests each. */
function queued(
  nominalConcurrencyShares: number,
  queues: number,
  handSize: number,
  lendablePercent: number,
): JsonObject {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  const limitResponse = { type: 'Queue', queuing };
  return { type: 'Limited', limited: { nominalConcurrencyShares, limitResponse, lendablePercent } };
}

/** Specs of priority levels by name. */
export const suggestedPriorityLevels: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['global-default', queued(20, 128, 6, 50)],
  ['leader-election', queued(10, 16, 4, 0)],
  ['node-high', queued(40, 64, 6, 25)],
  ['system', queued(30, 64, 6, 33)],
  ['workload-high', queued(40, 128, 6, 50)],
  ['workload-low', queued(100, 128, 6, 90)],
]);
