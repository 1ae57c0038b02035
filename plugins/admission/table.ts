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

const registration = (version: string, resource: string): KindOfPlugin => ({
  group: 'admissionregistration.platform.io',
  version,
  resource,
});

/** The server's own checks follow the plugins that must run before them. */
// biome-ignore format: a row is a line
export const admissionTable: readonly AdmissionRow[] = [
  { name: 'AlwaysAdmit', phase: 'both', byDefault: 'off', stability: 'deprecated', define: defineAlwaysAdmit },
  { name: 'NamespaceAutoProvision', phase: 'mutating', byDefault: 'off', stability: 'stable', define: defineNamespaceAutoProvision },
  { name: 'NamespaceLifecycle', phase: 'both', byDefault: 'on', stability: 'stable', define: (names) => defineNamespaceLifecycle(names) },
  { name: 'NamespaceExists', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineNamespaceExists },
  { name: 'SecurityContextDeny', phase: 'validating', byDefault: 'off', stability: 'alpha', needs: 'the gate SecurityContextDeny', gate: 'SecurityContextDeny', define: defineSecurityContextDeny },
  { name: 'LimitPodHardAntiAffinityTopology', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineLimitPodHardAntiAffinityTopology },
  { name: 'LimitRanger', phase: 'both', byDefault: 'on', stability: 'stable', define: (names, { release }) => defineLimitRanger(names, release) },
  { name: 'ServiceAccount', phase: 'both', byDefault: 'on', stability: 'stable', define: (names, { release }) => defineServiceAccount(names, undefined, release) },
  { name: 'NodeRestriction', phase: 'mutating', byDefault: 'off', stability: 'stable', define: defineNodeRestriction },
  { name: 'TaintNodesByCondition', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineTaintNodesByCondition },
  { name: 'AlwaysPullImages', phase: 'both', byDefault: 'off', stability: 'stable', define: defineAlwaysPullImages },
  { name: 'ImagePolicyWebhook', phase: 'validating', byDefault: 'off', stability: 'alpha', needs: 'a configuration', define: (names, { webhooks }) => webhooks && defineImagePolicyWebhook(names, webhooks) },
  { name: 'PodSecurity', phase: 'validating', byDefault: 'on', stability: 'stable', define: definePodSecurity },
  { name: 'PodNodeSelector', phase: 'both', byDefault: 'off', stability: 'alpha', define: definePodNodeSelector },
  { name: 'Priority', phase: 'both', byDefault: 'on', stability: 'stable', define: definePriority },
  { name: 'DefaultTolerationSeconds', phase: 'mutating', byDefault: 'on', stability: 'stable', define: (names, { tolerations }) => defineDefaultTolerationSeconds(names, tolerations) },
  { name: 'PodTolerationRestriction', phase: 'both', byDefault: 'off', stability: 'alpha', define: definePodTolerationRestriction },
  { name: 'EventRateLimit', phase: 'validating', byDefault: 'off', stability: 'alpha', needs: 'a configuration', define: () => defineEventRateLimit() },
  { name: 'ExtendedResourceToleration', phase: 'mutating', byDefault: 'off', stability: 'stable', define: defineExtendedResourceToleration },
  { name: 'PersistentVolumeLabel', phase: 'mutating', byDefault: 'off', stability: 'deprecated', define: (names, { volumeLabels = noLabels }) => definePersistentVolumeLabel(names, volumeLabels) },
  { name: 'DefaultStorageClass', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineDefaultStorageClass },
  { name: 'StorageObjectInUseProtection', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineStorageObjectInUseProtection },
  { name: 'OwnerReferencesPermissionEnforcement', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineOwnerReferencesPermissionEnforcement },
  { name: 'PersistentVolumeClaimResize', phase: 'validating', byDefault: 'on', stability: 'stable', define: definePersistentVolumeClaimResize },
  { name: 'RuntimeClass', phase: 'both', byDefault: 'on', stability: 'stable', define: defineRuntimeClass },
  { name: 'CertificateApproval', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineCertificateApproval },
  { name: 'CertificateSigning', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineCertificateSigning },
  { name: 'ClusterTrustBundleAttest', phase: 'validating', byDefault: 'gated', stability: 'alpha', needs: 'the gate ClusterTrustBundle', define: defineClusterTrustBundleAttest },
  { name: 'CertificateSubjectRestriction', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineCertificateSubjectRestriction },
  { name: 'DefaultIngressClass', phase: 'mutating', byDefault: 'on', stability: 'stable', define: defineDefaultIngressClass },
  { name: 'DenyServiceExternalIPs', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineDenyServiceExternalIPs },
  { name: 'SystemPriorities', phase: 'validating', byDefault: 'always', stability: 'stable', define: defineSystemPriorities },
  { name: 'MutatingAdmissionPolicy', phase: 'mutating', byDefault: 'on', stability: 'stable', needs: 'the gate MutatingAdmissionPolicy and a served version of its kinds', kind: registration('v1', 'mutatingadmissionpolicies'), define: defineMutatingAdmissionPolicy },
  { name: 'MutatingAdmissionWebhook', phase: 'mutating', byDefault: 'on', stability: 'stable', kind: registration('v1', 'mutatingwebhookconfigurations'), define: (names, { webhooks, release }) => webhooks && defineMutatingAdmissionWebhook(names, webhooks, release) },
  { name: 'RoleEscalation', phase: 'mutating', byDefault: 'always', stability: 'stable', define: (names, { rules, release }) => rules && defineRoleEscalation(names, rules, release) },
  { name: 'ParameterRights', phase: 'validating', byDefault: 'always', stability: 'stable', define: defineParameterRights },
  { name: 'ValidatingAdmissionPolicy', phase: 'validating', byDefault: 'on', stability: 'alpha', needs: 'the gate ValidatingAdmissionPolicy and a served version of its kinds', kind: registration('v1alpha1', 'validatingadmissionpolicies'), define: defineValidatingAdmissionPolicy },
  { name: 'ValidatingAdmissionWebhook', phase: 'validating', byDefault: 'on', stability: 'stable', kind: registration('v1', 'validatingwebhookconfigurations'), define: (names, { webhooks, release }) => webhooks && defineValidatingAdmissionWebhook(names, webhooks, release) },
  { name: 'ResourceQuota', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineResourceQuota },
  { name: 'AlwaysDeny', phase: 'both', byDefault: 'off', stability: 'deprecated', define: defineAlwaysDenyAdmission },
];

const noLabels: VolumeLabels = () => undefined;

/** Additional plugins run before this one, so that webhooks and policies see their changes. */
export const firstOfTheLast = 'MutatingAdmissionPolicy';

/** Parts of the server that some plugins need. */
export interface AdmissionParts {
  /** Missing if RBAC is not used. */
  readonly rules?: RuleResolver;
  /** Missing if webhooks are not called. */
  readonly webhooks?: WebhookCalls;
  /** How long pods stay on nodes that are not ready or unreachable, unless they say so themselves. */
  readonly tolerations?: TolerationSeconds | undefined;
  /** Missing if nothing knows where volumes are. */
  readonly volumeLabels?: VolumeLabels | undefined;
  /** The release of the server. Default: the specified one with the latest machinery. */
  readonly release?: Release | undefined;
}

export interface AdmissionRow {
  readonly name: string;
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

/** The kind whose objects a plugin acts on, by its platform name. */
export interface KindOfPlugin {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}
