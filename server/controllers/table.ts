/** The controllers that come with the server, under the names that options call them by. */
import {
  type Controller,
  defaultAccount,
  defineClaimProtection,
  defineQuotaController,
  defineRoleAggregation,
  defineVolumeProtection,
  namespace,
  ttlAfterFinished,
} from '../../controllers/index.js';
import { gatheredRules } from '../../plugins/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { certificateRows } from './certificate-rows.js';
import type { OwnParts } from './own-parts.js';

/** A server as controllers see it: which resources it has, and under which names. */
export interface Served {
  readonly serves: (group: string, version: string, plural: string) => boolean;
  readonly naming: Naming;
  /** Absent for controllers in another process than the server's. */
  readonly own?: OwnParts;
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
    make: ({ serves, naming }) => {
      const group = naming.rename('rbac.authorization.platform.io');
      return serves(group, 'v1', 'clusterroles') ? defineRoleAggregation({ group, gather: gatheredRules }) : undefined;
    },
  },
  ...certificateRows,
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
];

const has = ({ serves }: Served, group: string, ...plurals: readonly string[]): boolean =>
  plurals.every((plural) => serves(group, 'v1', plural));

const hasCore = (served: Served, ...plurals: readonly string[]): boolean => has(served, '', ...plurals);
