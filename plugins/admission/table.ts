/** All admission plugins, in the order in which they run, which is the reference's. */
import { defineAlwaysAdmit } from './always-admit.js';
import { defineAlwaysDenyAdmission } from './always-deny.js';
import { defineCertificateApproval } from './certificate-approval.js';
import { defineCertificateSigning } from './certificate-signing.js';
import { defineCertificateSubjectRestriction } from './certificate-subject-restriction.js';
import { definePersistentVolumeClaimResize } from './classes/claim-resize.js';
import { defineDefaultIngressClass } from './classes/default-ingress-class.js';
import { defineDefaultStorageClass } from './classes/default-storage-class.js';
import { defineClusterTrustBundleAttest } from './cluster-trust-bundle-attest.js';
import { defineEventRateLimit } from './events/event-rate-limit.js';
import { defineImagePolicyWebhook } from './image-policy/index.js';
import { defineLimitRanger } from './limit-ranger/index.js';
import { defineNamespaceLifecycle } from './namespace-lifecycle.js';
import { defineNamespaceAutoProvision } from './namespaces/auto-provision.js';
import { defineNamespaceExists } from './namespaces/exists.js';
import { defineNodeRestriction } from './nodes/node-restriction.js';
import { defineOwnerReferencesPermissionEnforcement } from './owner-references.js';
import { defineParameterRights } from './parameter-rights.js';
import type { AdmissionRow, KindOfPlugin } from './plugin-row.js';
import { definePodSecurity } from './pod-security/index.js';
import { defineAlwaysPullImages } from './pods/always-pull-images.js';
import { defineLimitPodHardAntiAffinityTopology } from './pods/anti-affinity-topology.js';
import { defineDefaultTolerationSeconds } from './pods/default-toleration-seconds.js';
import { defineExtendedResourceToleration } from './pods/extended-resource-toleration.js';
import { definePodNodeSelector } from './pods/pod-node-selector.js';
import { definePodTolerationRestriction } from './pods/pod-toleration-restriction.js';
import { definePriority } from './pods/priority.js';
import { defineRuntimeClass } from './pods/runtime-class.js';
import { defineSecurityContextDeny } from './pods/security-context-deny.js';
import { defineResourceQuota } from './quota/index.js';
import { defineRoleEscalation } from './role-escalation.js';
import { defineServiceAccount } from './service-account/index.js';
import { defineDenyServiceExternalIPs } from './services/external-addresses.js';
import { defineStorageObjectInUseProtection } from './storage-object-in-use-protection.js';
import { defineSystemPriorities } from './system-priorities.js';
import { defineTaintNodesByCondition } from './taint-nodes-by-condition.js';
import { defineValidatingAdmissionPolicy } from './validating-policy/index.js';
import { definePersistentVolumeLabel } from './volumes/volume-label.js';
import { defineMutatingAdmissionWebhook, defineValidatingAdmissionWebhook } from './webhooks/index.js';

const registration = (version: string, resource: string): KindOfPlugin => ({
  group: 'admissionregistration.platform.io',
  version,
  resource,
});

/** Own checks stand beside the plugins that they have to come after. */
// biome-ignore format: a row is a line
export const admissionTable: readonly AdmissionRow[] = [
  { name: 'AlwaysAdmit', phase: 'both', byDefault: 'off', stability: 'deprecated', define: defineAlwaysAdmit },
  { name: 'NamespaceAutoProvision', phase: 'mutating', byDefault: 'off', stability: 'stable', define: defineNamespaceAutoProvision },
  { name: 'NamespaceLifecycle', phase: 'both', byDefault: 'on', stability: 'stable', define: defineNamespaceLifecycle },
  { name: 'NamespaceExists', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineNamespaceExists },
  { name: 'SecurityContextDeny', phase: 'validating', byDefault: 'off', stability: 'alpha', needs: 'the gate SecurityContextDeny', gate: 'SecurityContextDeny', define: defineSecurityContextDeny },
  { name: 'LimitPodHardAntiAffinityTopology', phase: 'validating', byDefault: 'off', stability: 'stable', define: defineLimitPodHardAntiAffinityTopology },
  { name: 'LimitRanger', phase: 'both', byDefault: 'on', stability: 'stable', define: defineLimitRanger },
  { name: 'ServiceAccount', phase: 'both', byDefault: 'on', stability: 'stable', define: (names) => defineServiceAccount(names) },
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
  { name: 'PersistentVolumeLabel', phase: 'mutating', byDefault: 'off', stability: 'deprecated', needs: 'a function that finds labels', define: (names, { volumeLabels }) => volumeLabels && definePersistentVolumeLabel(names, volumeLabels) },
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
  { name: 'MutatingAdmissionWebhook', phase: 'mutating', byDefault: 'on', stability: 'stable', kind: registration('v1', 'mutatingwebhookconfigurations'), define: (names, { webhooks }) => webhooks && defineMutatingAdmissionWebhook(names, webhooks) },
  { name: 'RoleEscalation', phase: 'mutating', byDefault: 'always', stability: 'stable', define: (names, { rules }) => rules && defineRoleEscalation(names, rules) },
  { name: 'ParameterRights', phase: 'validating', byDefault: 'always', stability: 'stable', define: defineParameterRights },
  { name: 'ValidatingAdmissionPolicy', phase: 'validating', byDefault: 'on', stability: 'alpha', needs: 'the gate ValidatingAdmissionPolicy and its version v1alpha1', kind: registration('v1alpha1', 'validatingadmissionpolicies'), define: defineValidatingAdmissionPolicy },
  { name: 'ValidatingAdmissionWebhook', phase: 'validating', byDefault: 'on', stability: 'stable', kind: registration('v1', 'validatingwebhookconfigurations'), define: (names, { webhooks }) => webhooks && defineValidatingAdmissionWebhook(names, webhooks) },
  { name: 'ResourceQuota', phase: 'validating', byDefault: 'on', stability: 'stable', define: defineResourceQuota },
  { name: 'AlwaysDeny', phase: 'both', byDefault: 'off', stability: 'deprecated', define: defineAlwaysDenyAdmission },
];

/** The plugin before which those run that servers are given besides: webhooks and policies see what these change. */
export const firstOfTheLast = 'MutatingAdmissionWebhook';
