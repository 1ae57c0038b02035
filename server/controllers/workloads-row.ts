/** The controller that plays workloads and nodes. */
import { defineSimulatedWorkloads } from '../../controllers/index.js';
import type { ControllerRow, Served } from './controller-row.js';

export const workloadsRow: ControllerRow = {
  name: 'workloads-simulated',
  byDefault: false,
  make(served) {
    const { naming, simulatedNodes: count = 1 } = served;
    if (!servesAll(served)) return undefined;
    return defineSimulatedWorkloads({ count, rename: naming.rename, leaseNamespace: naming.namespaces.nodeLease });
  },
};

const servesAll = ({ serves, naming }: Served): boolean =>
  Object.entries({
    '': ['pods', 'nodes', 'persistentvolumeclaims'],
    apps: ['deployments', 'replicasets', 'statefulsets', 'controllerrevisions'],
    batch: ['jobs'],
    [naming.rename('coordination.platform.io')]: ['leases'],
  }).every(([group, plurals]) => plurals.every((plural) => serves(group, 'v1', plural)));
