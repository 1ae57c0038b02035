/** All admission plugins in the order in which they run, which is the order of the reference. */

import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import type { RuleResolver } from '../authorization/index.js';
import {
  defineCertificateApproval,
  defineCertificateSigning,
  defineCertificateSubjectRestriction,
  defineClusterTrustBundleAttest,
} from './certificates.js';
import { defineDefaultIngressClass, defineDefaultStorageClass } from './default-classes.js';
import {
  defineAlwaysAdmit,
  defineAlwaysDenyAdmission,
  defineDenyServiceExternalIPs,
  defineLimitPodHardAntiAffinityTopology,
  defineSecurityContextDeny,
} from './deny.js';
import { defineEventRateLimit } from './event-rate-limit.js';
import { defineAlwaysPullImages, defineImagePolicyWebhook } from './images.js';
import { defineLimitRanger } from './limit-ranger.js';
import { defineMutatingAdmissionPolicy } from './mutating-policy/index.js';
import { defineNamespaceAutoProvision, defineNamespaceExists, defineNamespaceLifecycle } from './namespaces.js';
import { defineNodeRestriction } from './node-restriction.js';
import { defineOwnerReferencesPermissionEnforcement } from './owner-references.js';
import { defineParameterRights } from './parameter-rights.js';
import { definePodNodeSelector } from './pod-node-selector.js';
import { definePodSecurity } from './pod-security/index.js';
import { definePodTolerationRestriction } from './pod-toleration-restriction.js';
import { definePriority, defineSystemPriorities } from './priority.js';
import { defineResourceQuota } from './quota.js';
import { defineRoleEscalation } from './role-escalation.js';
import { defineRuntimeClass } from './runtime-class.js';
import { defineServiceAccount } from './service-account.js';
import {
  defineDefaultTolerationSeconds,
  defineExtendedResourceToleration,
  defineTaintNodesByCondition,
  type TolerationSeconds,
} from './tolerations.js';
import { defineValidatingAdmissionPolicy } from './validating-policy/index.js';
import {
  definePersistentVolumeClaimResize,
  definePersistentVolumeLabel,
  defineStorageObjectInUseProtection,
  type VolumeLabels,
} from './volumes.js';
import type { WebhookCalls } from './webhooks/calls.js';
import { defineMutatingAdmissionWebhook, defineValidatingAdmissionWebhook } from './webhooks/index.js';

/** The server's own checks follow the plugins that must run before them. */
// biome-ignore format: a row is a line
export const admissionTable: readonly AdmissionRow[] = [
  { name: 'AlwaysAdmit', about: 'lets every write pass', phase: 'both', byDefault: 'off', stability: 'deprecated', define: defineAlwaysAdmit },
  { name: 'NamespaceAutoProvision', about: 'creates the namespace of a new object if it does not exist', phase: 'mutating', byDefault: 'off', stability: 'stable', define: defineNamespaceAutoProvision },
  { name: 'NamespaceLifecycle', about: 'refuses creates and updates in namespaces that do not exist, creates in namespaces that are being deleted, and the deletion of the namespaces of the system', phase: 'both', byDefault: 'on', stability: 'stable', define: (names) => defineNamespaceLifecycle(names) },
  { name: 'NamespaceExists', about: 'refuses writes, deletes included, in namespaces that do not exist', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineNamespaceExists },
  { name: 'SecurityContextDeny', about: 'refuses pods that set users, groups or SELinux options of their own', phase: 'validating', byDefault: 'off', stability: 'alpha', needs: 'the gate SecurityContextDeny', gate: 'SecurityContextDeny', define: defineSecurityContextDeny },
  { name: 'LimitPodHardAntiAffinityTopology', about: 'refuses pods with a required anti-affinity to more than one host', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineLimitPodHardAntiAffinityTopology },
  { name: 'LimitRanger', about: 'gives containers the defaults of the LimitRanges of their namespace, and refuses pods and claims outside the limits', phase: 'both', byDefault: 'on', stability: 'stable', define: (names, { release }) => defineLimitRanger(names, release) },
  { name: 'ServiceAccount', about: 'runs each pod as a service account, and mounts the token of the account', phase: 'both', byDefault: 'on', stability: 'stable', define: (names, { release }) => defineServiceAccount(names, undefined, release) },
  { name: 'NodeRestriction', about: 'keeps a node to its own Node object, pods, tokens and lease', phase: 'mutating', byDefault: 'off', stability: 'stable', define: defineNodeRestriction },
  { name: 'TaintNodesByCondition', about: 'gives new nodes the taint `not-ready`, so that pods wait until the node is ready', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineTaintNodesByCondition },
  { name: 'AlwaysPullImages', about: 'lets each container pull its image at every start, so that nobody uses an image without the right to pull it', phase: 'both', byDefault: 'off', stability: 'stable', define: defineAlwaysPullImages },
  { name: 'ImagePolicyWebhook', about: 'asks a webhook whether the images of a pod may run', phase: 'validating', byDefault: 'off', stability: 'alpha', needs: 'a configuration', define: (names, { webhooks }) => webhooks && defineImagePolicyWebhook(names, webhooks) },
  { name: 'PodSecurity', about: 'holds pods to the level of pod security that labels of their namespace set', phase: 'validating', byDefault: 'on', stability: 'stable', define: definePodSecurity },
  { name: 'PodNodeSelector', about: 'adds the node selector of the namespace to new pods, and refuses pods that contradict it', phase: 'both', byDefault: 'off', stability: 'alpha', define: definePodNodeSelector },
  { name: 'Priority', about: 'sets the priority of a pod from its class, and refuses a second default class', phase: 'both', byDefault: 'on', stability: 'stable', define: definePriority },
  { name: 'DefaultTolerationSeconds', about: 'lets pods stay on a failing node for a while, 300 seconds unless a flag sets another time', phase: 'mutating', byDefault: 'on', stability: 'stable', define: (names, { tolerations }) => defineDefaultTolerationSeconds(names, tolerations) },
  { name: 'PodTolerationRestriction', about: 'adds tolerations of the namespace to new pods, and refuses pods with tolerations that it does not list', phase: 'both', byDefault: 'off', stability: 'alpha', define: definePodTolerationRestriction },
  { name: 'EventRateLimit', about: 'limits how many events are written in a second', phase: 'validating', byDefault: 'off', stability: 'alpha', needs: 'a configuration', define: () => defineEventRateLimit() },
  { name: 'ExtendedResourceToleration', about: 'lets pods that ask for an extended resource tolerate the taint of that name', phase: 'mutating', byDefault: 'off', stability: 'stable', define: defineExtendedResourceToleration },
  { name: 'PersistentVolumeLabel', about: 'labels new volumes with their zone and region, which the program that starts the server must know', phase: 'mutating', byDefault: 'off', stability: 'deprecated', define: (names, { volumeLabels = noLabels }) => definePersistentVolumeLabel(names, volumeLabels) },
  { name: 'DefaultStorageClass', about: 'gives new claims without a storage class the default one', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineDefaultStorageClass },
  { name: 'StorageObjectInUseProtection', about: 'gives new volumes and claims a finalizer that keeps them while they are in use', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineStorageObjectInUseProtection },
  { name: 'OwnerReferencesPermissionEnforcement', about: 'requires the right to delete an object before its owners change', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineOwnerReferencesPermissionEnforcement },
  { name: 'PersistentVolumeClaimResize', about: 'lets a claim grow only if it is bound and its storage class allows it', phase: 'validating', byDefault: 'on', stability: 'stable', define: definePersistentVolumeClaimResize },
  { name: 'RuntimeClass', about: 'gives pods the overhead, node selector and tolerations of their runtime class', phase: 'both', byDefault: 'on', stability: 'stable', define: defineRuntimeClass },
  { name: 'CertificateApproval', about: 'requires the right to approve for the signer of a certificate request', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineCertificateApproval },
  { name: 'CertificateSigning', about: 'requires the right to sign for the signer of a certificate request', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineCertificateSigning },
  { name: 'ClusterTrustBundleAttest', about: 'requires the right to attest for the signer of a ClusterTrustBundle', phase: 'validating', byDefault: 'gated', stability: 'alpha', needs: 'the gate ClusterTrustBundle', define: defineClusterTrustBundleAttest },
  { name: 'CertificateSubjectRestriction', about: 'refuses requests for client certificates of the group `system:masters`', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineCertificateSubjectRestriction },
  { name: 'DefaultIngressClass', about: 'gives new ingresses without a class the default one', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineDefaultIngressClass },
  { name: 'DenyServiceExternalIPs', about: 'refuses new external addresses of services', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineDenyServiceExternalIPs },
  { name: 'SystemPriorities', about: 'refuses to delete the priority classes of the system', phase: 'validating', byDefault: 'always', stability: 'stable', define: defineSystemPriorities },
  { name: 'MutatingAdmissionPolicy', about: 'changes objects as MutatingAdmissionPolicies say', phase: 'mutating', byDefault: 'on', stability: 'stable', needs: 'the gate MutatingAdmissionPolicy and a served version of its kinds', kind: registration('v1', 'mutatingadmissionpolicies'), define: defineMutatingAdmissionPolicy },
  { name: 'MutatingAdmissionWebhook', about: 'lets webhooks change and refuse writes', phase: 'mutating', byDefault: 'on', stability: 'stable', kind: registration('v1', 'mutatingwebhookconfigurations'), define: (names, { webhooks, release }) => webhooks && defineMutatingAdmissionWebhook(names, webhooks, release) },
  { name: 'RoleEscalation', about: 'refuses roles and bindings that would give more rights than their author has', phase: 'mutating', byDefault: 'always', stability: 'stable', define: (names, { rules, release }) => rules && defineRoleEscalation(names, rules, release) },
  { name: 'ParameterRights', about: 'refuses policies with parameters that their author may not read', phase: 'validating', byDefault: 'always', stability: 'stable', define: defineParameterRights },
  { name: 'ValidatingAdmissionPolicy', about: 'refuses writes as ValidatingAdmissionPolicies say', phase: 'validating', byDefault: 'on', stability: 'alpha', needs: 'the gate ValidatingAdmissionPolicy and a served version of its kinds', kind: registration('v1alpha1', 'validatingadmissionpolicies'), define: defineValidatingAdmissionPolicy },
  { name: 'ValidatingAdmissionWebhook', about: 'lets webhooks refuse writes', phase: 'validating', byDefault: 'on', stability: 'stable', kind: registration('v1', 'validatingwebhookconfigurations'), define: (names, { webhooks, release }) => webhooks && defineValidatingAdmissionWebhook(names, webhooks, release) },
  { name: 'ResourceQuota', about: 'refuses writes that exceed a ResourceQuota of the namespace', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineResourceQuota },
  { name: 'AlwaysDeny', about: 'refuses every write, except what the server writes at its start', phase: 'both', byDefault: 'off', stability: 'deprecated', define: defineAlwaysDenyAdmission },
];

function registration(version: string, resource: string): KindOfPlugin {
  return {
    group: 'admissionregistration.platform.io',
    version,
    resource,
  };
}

const noLabels: VolumeLabels = () => undefined;

/** Additional plugins run before this one, so that webhooks and policies see their changes. */
export const firstOfTheLast = 'MutatingAdmissionPolicy';

/** Parts of the server that some plugins need. */
export interface AdmissionParts {
  /** Missing if RBAC is not used. */
  readonly rules?: RuleResolver;
  /** Missing if webhooks are not called. */
  readonly webhooks?: WebhookCalls;
  /** How long pods stay on nodes that are not ready or unreachable, unless the pods set it themselves. */
  readonly tolerations?: TolerationSeconds | undefined;
  /** Missing if the program that starts the server cannot find where volumes are. */
  readonly volumeLabels?: VolumeLabels | undefined;
  /** The release of the server. Default: the specified one with the latest machinery. */
  readonly release?: Release | undefined;
}

export interface AdmissionRow {
  readonly name: string;
  /** For the docs: the effect of the plugin, in a line. */
  readonly about: string;
  /** Whether the plugin may change objects, only refuse them, or both. */
  readonly phase: 'mutating' | 'validating' | 'both';
  /**
   * Whether it runs unless a flag says otherwise. `gated`: its feature gate decides. `always`: the server's own checks,
   * which no flag disables.
   */
  readonly byDefault: 'on' | 'off' | 'gated' | 'always';
  readonly stability: 'stable' | 'alpha' | 'deprecated';
  /** The needs of the plugin, in words: a configuration, a feature gate. */
  readonly needs?: string;
  /** The feature gate without which the plugin cannot be enabled. */
  readonly gate?: string;
  /** The stored kind that is useless without the plugin, and then should not be served. */
  readonly kind?: KindOfPlugin;
  /** Returns `undefined` if a part that the plugin needs is missing. */
  readonly define: (names: Naming, parts: AdmissionParts) => AdmissionPlugin | undefined;
}

/** The kind of objects that a plugin acts on, by its platform name. */
export interface KindOfPlugin {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}
