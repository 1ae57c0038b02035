/** The controllers that come with the server, under the names that options call them by. */
import {
  defaultAccount,
  defineClaimProtection,
  defineQuotaController,
  defineRoleAggregation,
  defineStorageMigration,
  defineVolumeProtection,
  garbageCollector,
  namespace,
  ttlAfterFinished,
} from '../../controllers/index.js';
import { gatheredRules } from '../../plugins/index.js';
import { certificateRows } from './certificate-rows.js';
import { type ControllerRow, has, hasCore } from './controller-row.js';
import { bootstrapSigner, rootCertificates, tokenCleaner, tokenSecrets } from './token-rows.js';
import { workloadsRow } from './workloads-row.js';

/** In the order of the alphabet. */
export const controllerTable: readonly ControllerRow[] = [
  bootstrapSigner,
  {
    name: 'clusterrole-aggregation',
    byDefault: true,
    make: ({ serves, naming }) => {
      const group = naming.rename('rbac.authorization.platform.io');
      return serves(group, 'v1', 'clusterroles') ? defineRoleAggregation({ group, gather: gatheredRules }) : undefined;
    },
  },
  ...certificateRows,
  { name: 'garbagecollector', byDefault: true, make: () => garbageCollector },
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
    name: 'resourcequota',
    byDefault: true,
    make: (served) =>
      hasCore(served, 'resourcequotas') ? defineQuotaController({ naming: served.naming }) : undefined,
  },
  rootCertificates,
  {
    name: 'serviceaccount',
    byDefault: true,
    make: (served) => (hasCore(served, 'namespaces', 'serviceaccounts') ? defaultAccount : undefined),
  },
  tokenSecrets,
  {
    name: 'storage-version-migrator',
    byDefault: true,
    make: ({ serves, naming }) => {
      const group = naming.rename('storagemigration.platform.io');
      return serves(group, 'v1alpha1', 'storageversionmigrations') ? defineStorageMigration(group) : undefined;
    },
  },
  tokenCleaner,
  {
    name: 'ttl-after-finished',
    byDefault: true,
    make: (served) => (has(served, 'batch', 'jobs') ? ttlAfterFinished : undefined),
  },
  workloadsRow,
];
