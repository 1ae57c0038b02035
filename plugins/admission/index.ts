/** The admission plugins that come with the server. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { AdmissionParts } from './plugin-row.js';
import { admissionTable } from './table.js';

export { defineAlwaysAdmit } from './always-admit.js';
export { defineAlwaysDenyAdmission } from './always-deny.js';
export { defineCertificateApproval } from './certificate-approval.js';
export { defineCertificateSigning } from './certificate-signing.js';
export { defineCertificateSubjectRestriction } from './certificate-subject-restriction.js';
export { definePersistentVolumeClaimResize } from './classes/claim-resize.js';
export { defineDefaultIngressClass } from './classes/default-ingress-class.js';
export { defineDefaultStorageClass } from './classes/default-storage-class.js';
export { defineClusterTrustBundleAttest } from './cluster-trust-bundle-attest.js';
export { defineEventRateLimit } from './events/event-rate-limit.js';
export { defineImagePolicyWebhook } from './image-policy/index.js';
export { defineLimitRanger } from './limit-ranger/index.js';
export { defineNamespaceLifecycle } from './namespace-lifecycle.js';
export { defineNamespaceAutoProvision } from './namespaces/auto-provision.js';
export { defineNamespaceExists } from './namespaces/exists.js';
export { defineNodeRestriction } from './nodes/node-restriction.js';
export { defineOwnerReferencesPermissionEnforcement } from './owner-references.js';
export { defineParameterRights } from './parameter-rights.js';
export type { AdmissionParts, AdmissionRow, KindOfPlugin } from './plugin-row.js';
export { definePodSecurity } from './pod-security/index.js';
export { defineAlwaysPullImages } from './pods/always-pull-images.js';
export { defineLimitPodHardAntiAffinityTopology } from './pods/anti-affinity-topology.js';
export { defineDefaultTolerationSeconds, type TolerationSeconds } from './pods/default-toleration-seconds.js';
export { defineExtendedResourceToleration } from './pods/extended-resource-toleration.js';
export { definePodNodeSelector } from './pods/pod-node-selector.js';
export { definePodTolerationRestriction } from './pods/pod-toleration-restriction.js';
export { definePriority } from './pods/priority.js';
export { defineRuntimeClass } from './pods/runtime-class.js';
export { defineSecurityContextDeny } from './pods/security-context-deny.js';
export { defineResourceQuota } from './quota/index.js';
export { defineRoleEscalation } from './role-escalation.js';
export { defineServiceAccount } from './service-account/index.js';
export { defineDenyServiceExternalIPs } from './services/external-addresses.js';
export { defineStorageObjectInUseProtection } from './storage-object-in-use-protection.js';
export { defineSystemPriorities } from './system-priorities.js';
export { admissionTable, firstOfTheLast } from './table.js';
export { defineTaintNodesByCondition } from './taint-nodes-by-condition.js';
export { defineValidatingAdmissionPolicy } from './validating-policy/index.js';
export { typeWarnings as policyTypeWarnings } from './validating-policy/type-check.js';
export { definePersistentVolumeLabel, type Labels, type VolumeLabels } from './volumes/volume-label.js';
export type { WebhookCalls } from './webhooks/calls.js';
export { defineMutatingAdmissionWebhook, defineValidatingAdmissionWebhook } from './webhooks/index.js';

/** Those that run unless an option says otherwise, in their order. */
export const admissionPlugins = (names: Naming, parts: AdmissionParts = {}): readonly AdmissionPlugin[] =>
  definedPlugins(names, parts, ['on', 'gated', 'always']);

/** Those that run only where an option says so, in their order. */
export const optionalAdmissionPlugins = (names: Naming, parts: AdmissionParts = {}): readonly AdmissionPlugin[] =>
  definedPlugins(names, parts, ['off']);

function definedPlugins(names: Naming, parts: AdmissionParts, which: readonly string[]): readonly AdmissionPlugin[] {
  const rows = admissionTable.filter(({ byDefault }) => which.includes(byDefault));
  const defined = rows.flatMap(({ define }) => define(names, parts) ?? []);
  return defined.map((plugin) => ({ ...plugin, keepsForm: true }));
}
