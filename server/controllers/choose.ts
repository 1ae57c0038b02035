/** Chooses the controllers of an option. */
import {
  defaultAccount,
  defineClaimProtection,
  defineKindRoles,
  defineNamespace,
  defineQuotaController,
  defineRoleAggregation,
  defineStorageMigration,
  defineVolumeProtection,
  garbageCollector,
  type KindDefinition,
  ttlAfterFinished,
  type WantedRole,
} from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import { migrationVersions } from '../../controllers/storage-migration/migrations.js';
import { modulesOfCustomResource } from '../../generator/emit/modules.js';
import { gatheredRules } from '../../plugins/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { findNearest } from '../../runtime/objects/suggest.js';
import { kindRoleLabel, kindRoles, resourceOfRole } from '../bootstrap/index.js';
import { ownKinds } from '../builtin-kinds.js';
import { OptionError } from '../option-error.js';
import {
  attributesClasses,
  bootstrapSigner,
  type ControllerRow,
  certificateRows,
  has,
  hasCore,
  isOn,
  rootCertificates,
  type Served,
  serviceBlocks,
  tokenCleaner,
  tokenSecrets,
  trustBundles,
  workloadsRow,
} from './controller-rows.js';

/** In alphabetical order. */
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
    name: 'kind-roles',
    byDefault: true,
    make: ({ serves, naming }) => {
      const [definitions, roles] = ['apiextensions', 'rbac.authorization'].map((one) =>
        naming.rename(`${one}.platform.io`),
      );
      if (definitions === undefined || roles === undefined) return undefined;
      if (!serves(definitions, 'v1', 'customresourcedefinitions') || !serves(roles, 'v1', 'clusterroles'))
        return undefined;
      return defineKindRoles({
        definitions,
        roles,
        labelSelector: `${kindRoleLabel}=custom-resource`,
        rolesOf: (definition) => rolesOfDefinition(definition, naming),
        definitionOf: resourceOfRole,
      });
    },
  },
  trustBundles,
  {
    name: 'namespace',
    byDefault: true,
    make: (served) =>
      hasCore(served, 'namespaces') ? defineNamespace(isOn(served, 'OrderedNamespaceDeletion')) : undefined,
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
  serviceBlocks,
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
      const version = migrationVersions.find((one) => serves(group, one, 'storageversionmigrations'));
      return version === undefined ? undefined : defineStorageMigration(group, version);
    },
  },
  tokenCleaner,
  {
    name: 'ttl-after-finished',
    byDefault: true,
    make: (served) => (has(served, 'batch', 'jobs') ? ttlAfterFinished : undefined),
  },
  attributesClasses,
  workloadsRow,
];

/** `*` for the default controllers, names of others, and names with a leading `-` to leave controllers out. */
export type WantedControllers = readonly (string | Controller)[];

const names: readonly string[] = controllerTable.map(({ name }) => name);

/** Throws an `OptionError` if the option names a controller that does not exist. */
export function checkControllers(wanted: WantedControllers = []): void {
  for (const one of wanted) {
    if (typeof one !== 'string' || one === '*' || names.includes(one.replace(/^-/, ''))) continue;
    const nearest = findNearest(one.replace(/^-/, ''), names);
    const hint = nearest === undefined ? '' : `; did you mean ${one.startsWith('-') ? '-' : ''}${nearest}?`;
    const use = `use *, none, or names of: ${names.join(', ')}`;
    throw new OptionError(
      (nameOf) => `${nameOf('controllers')}: ${one || '(nothing)'} is unknown${hint || `; ${use}`}`,
    );
  }
}

/** Reports whether a controller is chosen: the first mention of its name counts, then `*`. */
function isWanted({ name, byDefault }: ControllerRow, wanted: WantedControllers): boolean {
  const word = wanted.find((one) => one === name || one === `-${name}`);
  return word === undefined ? byDefault && wanted.includes('*') : word === name;
}

/** Returns the controllers of an option. Leaves out built-in ones without their resources. */
export const chooseControllers = (wanted: WantedControllers = ['*'], served: Served): readonly Controller[] => [
  ...controllerTable.filter((row) => isWanted(row, wanted)).flatMap((row) => row.make(served) ?? []),
  ...wanted.filter((one) => typeof one !== 'string'),
];

/** Returns the roles. A definition that is not established has none, because its names may belong to another kind. */
function rolesOfDefinition(definition: KindDefinition, naming: Naming): readonly WantedRole[] {
  // A new definition has null in place of conditions.
  const isEstablished = (definition.status?.conditions ?? []).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  const value: unknown = definition;
  if (!isEstablished || !isObject(value)) return [];
  return ownKinds(modulesOfCustomResource(value), naming).flatMap((kind) => kindRoles(kind, 'custom-resource', naming));
}
