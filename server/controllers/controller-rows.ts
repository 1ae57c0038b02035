/** Makes the controllers that need more than a line. Defines the parts that all controllers are made from. */
import {
  defineAttributesClassProtection,
  defineCertificateApproving,
  defineCertificateCleaning,
  defineCertificateSigner,
  defineRootCertificates,
  defineServiceBlocks,
  defineTokenCleaning,
  defineTokenSecrets,
  defineTokenSigning,
  defineTrustBundlePublishing,
} from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import { agentNameOf } from '../../plugins/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import { defineSimulatedWorkloads } from '../../testing/workloads/simulated.js';
import type { OwnParts } from './own-parts.js';

/** A server as controllers see it: its resources and its naming. */
export interface Served {
  readonly serves: (group: string, version: string, plural: string) => boolean;
  readonly naming: Naming;
  /** Default: every gate is on, and the served resources decide. */
  readonly featureEnabled?: (gate: string) => boolean;
  /** Default: unknown, as in other processes than the server's; the served resources decide there. */
  readonly release?: Release;
  /** The number of simulated nodes, if workloads are simulated. Default: 1. */
  readonly simulatedNodes?: number | undefined;
  /** Absent in other processes than the server's. */
  readonly own?: OwnParts;
}

export interface ControllerRow {
  readonly name: string;
  /** Whether `*` includes it. */
  readonly byDefault: boolean;
  /** Makes the controller for a server; `undefined` if the server lacks its resource. */
  readonly make: (served: Served) => Controller | undefined;
}

/** Reports whether the server has all of these resources, in version `v1` of a group. */
export const has = ({ serves }: Served, group: string, ...plurals: readonly string[]): boolean =>
  plurals.every((plural) => serves(group, 'v1', plural));

/** Reports whether a gate of the server is on. */
export const isOn = ({ featureEnabled = () => true }: Served, gate: string): boolean => featureEnabled(gate);

/** Reports whether the server has all of these in the core group. */
export const hasCore = (served: Served, ...plurals: readonly string[]): boolean => has(served, '', ...plurals);

const bootstrapTokens = ({ namespaces, secretTypes }: Naming) => ({
  namespace: namespaces.system,
  type: secretTypes.bootstrapToken,
});

function rolesGroup({ serves, naming }: Served): string | undefined {
  const group = naming.rename('rbac.authorization.platform.io');
  return serves(group, 'v1', 'roles') && serves(group, 'v1', 'rolebindings') ? group : undefined;
}

export const bootstrapSigner: ControllerRow = {
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

export const tokenCleaner: ControllerRow = {
  name: 'tokencleaner',
  byDefault: false,
  make: (served) => (hasCore(served, 'secrets') ? defineTokenCleaning(bootstrapTokens(served.naming)) : undefined),
};

export const rootCertificates: ControllerRow = {
  name: 'root-ca-cert-publisher',
  byDefault: true,
  make(served) {
    const trusted = served.own?.trusted;
    if (!trusted || !hasCore(served, 'namespaces', 'configmaps')) return undefined;
    return defineRootCertificates({ name: served.naming.wellKnown.rootCertificates, trusted });
  },
};

export const tokenSecrets: ControllerRow = {
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

/** Returns the group of certificate requests, if the server serves them. */
function requestGroup({ serves, naming }: Served): string | undefined {
  const group = naming.rename('certificates.platform.io');
  return serves(group, 'v1', 'certificatesigningrequests') ? group : undefined;
}

export const certificateRows: readonly ControllerRow[] = [
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

/** Returns the best served version of a resource; `undefined` without one. */
const versionOf = ({ serves }: Served, group: string, plural: string): string | undefined =>
  ['v1', 'v1beta1', 'v1alpha1'].find((version) => serves(group, version, plural));

export const serviceBlocks: ControllerRow = {
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

export const trustBundles: ControllerRow = {
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

export const attributesClasses: ControllerRow = {
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
