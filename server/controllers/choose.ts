/** Chooses the controllers of an option. */

import {
  defaultAccount,
  defineAttributesClassProtection,
  defineCertificateApproving,
  defineCertificateCleaning,
  defineCertificateSigner,
  defineClaimProtection,
  defineKindRoles,
  defineNamespace,
  defineQuotaController,
  defineRoleAggregation,
  defineRootCertificates,
  defineServiceBlocks,
  defineStorageMigration,
  defineTokenCleaning,
  defineTokenSecrets,
  defineTokenSigning,
  defineTrustBundlePublishing,
  defineVolumeProtection,
  garbageCollector,
  ttlAfterFinished,
} from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import { migrationVersions } from '../../controllers/storage-migration/migrations.js';
import { agentNameOf, gatheredRules } from '../../plugins/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import { findNearest } from '../../runtime/objects/suggest.js';
import { defineSimulatedWorkloads } from '../../testing/workloads/simulated.js';
import { kindRoleLabel, resourceOfRole } from '../bootstrap/index.js';
import { OptionError } from '../option-error.js';
import { rolesOfDefinition } from './definition-roles.js';
import type { OwnParts } from './own-parts.js';

/** A server as controllers see it: its resources and its naming. */
export interface Served {
  readonly serves: (group: string, version: string, plural: string) => boolean;
  readonly naming: Naming;
  /** Default: every gate is on. What is behind one that is off is not served. */
  readonly featureEnabled?: (gate: string) => boolean;
  /** Default: unknown, as it is outside of the server's process; what is served decides there. */
  readonly release?: Release;
  /** The number of simulated nodes, if workloads are simulated. Default: 1. */
  readonly simulatedNodes?: number | undefined;
  /** Absent for controllers outside of the server's process. */
  readonly own?: OwnParts;
}

interface ControllerRow {
  readonly name: string;
  /** Whether `*` includes it. */
  readonly byDefault: boolean;
  /** Makes the controller for a server; `undefined` if the server lacks its resource. */
  readonly make: (served: Served) => Controller | undefined;
}

/** Reports whether the server has all of these resources, in version `v1` of a group. */
const has = ({ serves }: Served, group: string, ...plurals: readonly string[]): boolean =>
  plurals.every((plural) => serves(group, 'v1', plural));

/** Reports whether a gate of the server is on. */
const isOn = ({ featureEnabled = () => true }: Served, gate: string): boolean => featureEnabled(gate);

/** Reports whether it has all of these in the core group. */
const hasCore = (served: Served, ...plurals: readonly string[]): boolean => has(served, '', ...plurals);

const bootstrapTokens = ({ namespaces, secretTypes }: Naming) => ({
  namespace: namespaces.system,
  type: secretTypes.bootstrapToken,
});

function rolesGroup({ serves, naming }: Served): string | undefined {
  const group = naming.rename('rbac.authorization.platform.io');
  return serves(group, 'v1', 'roles') && serves(group, 'v1', 'rolebindings') ? group : undefined;
}

const bootstrapSigner: ControllerRow = {
  name: 'bootstrapsigner',
  byDefault: false,
  make(served) {
    if (!hasCore(served, 'secrets', 'configmaps')) return undefined;
    const { naming, own } = served;
    const kubeconfig = own?.clusterInfo;
    return defineTokenSigning({
      tokens: bootstrapTokens(naming),
      publicNamespace: naming.namespaces.public,
      info: kubeconfig && { kubeconfig, rolesGroup: rolesGroup(served) },
    });
  },
};

const tokenCleaner: ControllerRow = {
  name: 'tokencleaner',
  byDefault: false,
  make: (served) => (hasCore(served, 'secrets') ? defineTokenCleaning(bootstrapTokens(served.naming)) : undefined),
};

const rootCertificates: ControllerRow = {
  name: 'root-ca-cert-publisher',
  byDefault: true,
  make(served) {
    const trusted = served.own?.trusted;
    if (!trusted || !hasCore(served, 'namespaces', 'configmaps')) return undefined;
    return defineRootCertificates({ name: served.naming.wellKnown.rootCertificates, trusted });
  },
};

const tokenSecrets: ControllerRow = {
  name: 'serviceaccount-token',
  byDefault: true,
  make(served) {
    const { own, naming } = served;
    if (!own || !hasCore(served, 'secrets', 'serviceaccounts')) return undefined;
    const { wellKnown, secretTypes } = naming;
    return defineTokenSecrets({
      type: secretTypes.serviceAccountToken,
      nameAnnotation: wellKnown.serviceAccountNameAnnotation,
      uidAnnotation: wellKnown.serviceAccountUidAnnotation,
      claim: wellKnown.tokenClaim,
      issue: own.issueSecretToken,
      trusted: () => own.trusted?.(),
    });
  },
};

/** Returns the group of certificate requests, if they are served. */
function requestGroup({ serves, naming }: Served): string | undefined {
  const group = naming.rename('certificates.platform.io');
  return serves(group, 'v1', 'certificatesigningrequests') ? group : undefined;
}

const certificateRows: readonly ControllerRow[] = [
  {
    name: 'csrapproving',
    byDefault: true,
    make: (served) => {
      const { serves, naming } = served;
      const group = requestGroup(served);
      const authorizationGroup = naming.rename('authorization.platform.io');
      return group !== undefined && serves(authorizationGroup, 'v1', 'subjectaccessreviews')
        ? defineCertificateApproving({ group, authorizationGroup, agentNameOf: (spec) => agentNameOf(spec, naming) })
        : undefined;
    },
  },
  {
    name: 'csrcleaner',
    byDefault: true,
    make: (served) => {
      const group = requestGroup(served);
      return group === undefined ? undefined : defineCertificateCleaning(group);
    },
  },
  {
    name: 'csrsigning',
    byDefault: true,
    make: (served) => {
      const group = requestGroup(served);
      return group === undefined || served.own === undefined
        ? undefined
        : defineCertificateSigner({ group, signers: served.own.signers });
    },
  },
];

/** Returns the best version of a resource that is served; `undefined` if none is. */
const versionOf = ({ serves }: Served, group: string, plural: string): string | undefined =>
  ['v1', 'v1beta1', 'v1alpha1'].find((version) => serves(group, version, plural));

const serviceBlocks: ControllerRow = {
  name: 'service-cidr-controller',
  byDefault: true,
  make(served) {
    const { rename } = served.naming;
    const group = rename('networking.platform.io');
    const version = versionOf(served, group, 'servicecidrs');
    if (version === undefined || !isOn(served, 'MultiCIDRServiceAllocator')) return undefined;
    return defineServiceBlocks({
      group,
      version,
      finalizer: rename('networking.platform.io/service-cidr-finalizer'),
      managedBy: [rename('ipaddress.platform.io/managed-by'), rename('ipallocator.platform.io')],
    });
  },
};

const trustBundles: ControllerRow = {
  name: 'kube-apiserver-serving-clustertrustbundle-publisher-controller',
  byDefault: true,
  make(served) {
    const { naming, own } = served;
    const group = naming.rename('certificates.platform.io');
    const version = versionOf(served, group, 'clustertrustbundles');
    const isThere = served.release?.does('trustBundlePublished') ?? true;
    if (version === undefined || !own?.trusted || !isThere || !isOn(served, 'ClusterTrustBundle')) return undefined;
    const signerName = naming.rename('platform.io/apiserver-serving');
    return defineTrustBundlePublishing({ group, version, signerName, trusted: own.trusted });
  },
};

const attributesClasses: ControllerRow = {
  name: 'volumeattributesclass-protection-controller',
  byDefault: true,
  make(served) {
    const { rename } = served.naming;
    const group = rename('storage.platform.io');
    const version = versionOf(served, group, 'volumeattributesclasses');
    const isServed = hasCore(served, 'persistentvolumeclaims', 'persistentvolumes');
    if (version === undefined || !isServed || !isOn(served, 'VolumeAttributesClass')) return undefined;
    return defineAttributesClassProtection({ group, version, finalizer: rename('platform.io/vac-protection') });
  },
};

const workloadsRow: ControllerRow = {
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

/** `*` for the default controllers, names of others, and names with a leading `-` to leave out. */
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

/** Returns the controllers of an option; built-in ones only if their resources are served. */
export const chooseControllers = (wanted: WantedControllers = ['*'], served: Served): readonly Controller[] => [
  ...controllerTable.filter((row) => isWanted(row, wanted)).flatMap((row) => row.make(served) ?? []),
  ...wanted.filter((one) => typeof one !== 'string'),
];
