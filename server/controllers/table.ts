/** The controllers that come with the server, under the names that options call them by. */
import {
  type Controller,
  defaultAccount,
  defineClaimProtection,
  defineRoleAggregation,
  defineSimulatedWorkloads,
  defineVolumeProtection,
  namespace,
  ttlAfterFinished,
} from '../../controllers/index.js';
import { gatheredRules } from '../../plugins/index.js';
import type { ResourceIndex } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The resources of a server, and the names it has them under. */
export interface Served {
  readonly resources: Pick<ResourceIndex, 'find'>;
  readonly naming: Naming;
  /** How many nodes are simulated, where workloads are. Default: 1. */
  readonly simulatedNodes?: number | undefined;
}

/** One controller of the table. */
export interface ControllerRow {
  readonly name: string;
  /** Whether `*` means it, too. */
  readonly byDefault: boolean;
  /** Makes it for a server; none where the server lacks the resource that it is about. */
  readonly make: (served: Served) => Controller | undefined;
}

/** In the order of the alphabet. */
export const controllerTable: readonly ControllerRow[] = [
  {
    name: 'clusterrole-aggregation',
    byDefault: true,
    make: ({ resources, naming }) => {
      const group = naming.rename('rbac.authorization.platform.io');
      if (resources.find(group, 'v1', 'clusterroles') === undefined) return undefined;
      return defineRoleAggregation({ group, gather: gatheredRules });
    },
  },
  {
    name: 'namespace',
    byDefault: true,
    make: (served) => (hasCore(served, 'namespaces') ? namespace : undefined),
  },
  {
    name: 'pv-protection',
    byDefault: true,
    make: (served) =>
      hasCore(served, 'persistentvolumes')
        ? defineVolumeProtection(served.naming.rename('platform.io/pv-protection'))
        : undefined,
  },
  {
    name: 'pvc-protection',
    byDefault: true,
    make: (served) =>
      hasCore(served, 'persistentvolumeclaims', 'pods')
        ? defineClaimProtection(served.naming.rename('platform.io/pvc-protection'))
        : undefined,
  },
  {
    name: 'serviceaccount',
    byDefault: true,
    make: (served) => (hasCore(served, 'namespaces', 'serviceaccounts') ? defaultAccount : undefined),
  },
  {
    name: 'ttl-after-finished',
    byDefault: true,
    make: (served) => (has(served, 'batch', 'jobs') ? ttlAfterFinished : undefined),
  },
  {
    name: 'workloads-simulated',
    byDefault: false,
    make: (served) => (servesWorkloads(served) ? simulatedWorkloads(served) : undefined),
  },
];

const has = ({ resources }: Served, group: string, ...plurals: readonly string[]): boolean =>
  plurals.every((plural) => resources.find(group, 'v1', plural) !== undefined);

const hasCore = (served: Served, ...plurals: readonly string[]): boolean => has(served, '', ...plurals);

const servesWorkloads = (served: Served): boolean =>
  hasCore(served, 'pods', 'nodes', 'persistentvolumeclaims') &&
  has(served, 'apps', 'deployments', 'replicasets', 'statefulsets', 'controllerrevisions') &&
  has(served, 'batch', 'jobs') &&
  has(served, served.naming.rename('coordination.platform.io'), 'leases');

const simulatedWorkloads = ({ naming, simulatedNodes = 1 }: Served): Controller =>
  defineSimulatedWorkloads({
    count: simulatedNodes,
    rename: naming.rename,
    leaseNamespace: naming.namespaces.nodeLease,
  });
