/** The admission plugins that come with the server. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { type AdmissionParts, admissionTable } from './table.js';

export {
  defineCertificateApproval,
  defineCertificateSigning,
  defineCertificateSubjectRestriction,
  defineClusterTrustBundleAttest,
} from './certificates.js';
export { defineDefaultIngressClass, defineDefaultStorageClass } from './default-classes.js';
export {
  defineAlwaysAdmit,
  defineAlwaysDenyAdmission,
  defineDenyServiceExternalIPs,
  defineLimitPodHardAntiAffinityTopology,
  defineSecurityContextDeny,
} from './deny.js';
export { defineEventRateLimit } from './event-rate-limit.js';
export { defineAlwaysPullImages, defineImagePolicyWebhook } from './images.js';
export { defineLimitRanger } from './limit-ranger.js';
export { defineMutatingAdmissionPolicy } from './mutating-policy/index.js';
export {
  defineNamespaceAutoProvision,
  defineNamespaceExists,
  defineNamespaceLifecycle,
  type FindNamespace,
} from './namespaces.js';
export { defineNodeRestriction } from './node-restriction.js';
export { defineOwnerReferencesPermissionEnforcement } from './owner-references.js';
export { defineParameterRights } from './parameter-rights.js';
export { definePodNodeSelector } from './pod-node-selector.js';
export { definePodSecurity } from './pod-security/index.js';
export { definePodTolerationRestriction } from './pod-toleration-restriction.js';
export { definePriority, defineSystemPriorities } from './priority.js';
export { defineResourceQuota } from './quota.js';
export { defineRoleEscalation } from './role-escalation.js';
export { defineRuntimeClass } from './runtime-class.js';
export { defineServiceAccount } from './service-account.js';
export { type AdmissionParts, type AdmissionRow, admissionTable, firstOfTheLast, type KindOfPlugin } from './table.js';
export {
  defineDefaultTolerationSeconds,
  defineExtendedResourceToleration,
  defineTaintNodesByCondition,
  type TolerationSeconds,
} from './tolerations.js';
export { defineValidatingAdmissionPolicy } from './validating-policy/index.js';
export { typeWarnings as policyTypeWarnings } from './validating-policy/type-check.js';
export {
  definePersistentVolumeClaimResize,
  definePersistentVolumeLabel,
  defineStorageObjectInUseProtection,
  type Labels,
  type VolumeLabels,
} from './volumes.js';
export type { WebhookCalls } from './webhooks/calls.js';
export { defineMutatingAdmissionWebhook, defineValidatingAdmissionWebhook } from './webhooks/index.js';

/** Returns the plugins that run by default, in their order. */
export const admissionPlugins = (names: Naming, parts: AdmissionParts = {}): readonly AdmissionPlugin[] =>
  definedPlugins(names, parts, ['on', 'gated', 'always']);

/** Returns the plugins that run only if a flag enables them, in their order. */
export const optionalAdmissionPlugins = (names: Naming, parts: AdmissionParts = {}): readonly AdmissionPlugin[] =>
  definedPlugins(names, parts, ['off']);

function definedPlugins(names: Naming, parts: AdmissionParts, which: readonly string[]): readonly AdmissionPlugin[] {
  const rows = admissionTable.filter(({ byDefault }) => which.includes(byDefault));
  const defined = rows.flatMap(({ define }) => define(names, parts) ?? []);
  return defined.map((plugin) => ({ ...plugin, keepsForm: true }));
}
