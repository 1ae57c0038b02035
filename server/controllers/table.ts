/** The controllers that come with the server, under the names that options call them by. */
import {
  type Controller,
  defaultAccount,
  defineRoleAggregation,
  garbageCollector,
  namespace,
} from '../../controllers/index.js';
import { gatheredRules } from '../../plugins/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** A server as controllers see it: which resources it has, and under which names. */
export interface Served {
  readonly serves: (group: string, version: string, plural: string) => boolean;
  readonly naming: Naming;
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
  { name: 'garbagecollector', byDefault: true, make: () => garbageCollector },
  {
    name: 'namespace',
    byDefault: true,
    make: (served) => (hasCore(served, 'namespaces') ? namespace : undefined),
  },
  {
    name: 'serviceaccount',
    byDefault: true,
    make: (served) => (hasCore(served, 'namespaces', 'serviceaccounts') ? defaultAccount : undefined),
  },
];

const hasCore = ({ serves }: Served, ...plurals: readonly string[]): boolean =>
  plurals.every((plural) => serves('', 'v1', plural));
