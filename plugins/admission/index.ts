/** The admission plugins that come with the server, in the order in which they run. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { RuleResolver } from '../authorization/index.js';
import { defineCertificateApproval } from './certificate-approval.js';
import { defineCertificateSigning } from './certificate-signing.js';
import { defineCertificateSubjectRestriction } from './certificate-subject-restriction.js';
import { definePersistentVolumeClaimResize } from './classes/claim-resize.js';
import { defineDefaultIngressClass } from './classes/default-ingress-class.js';
import { defineDefaultStorageClass } from './classes/default-storage-class.js';
import { defineLimitRanger } from './limit-ranger/index.js';
import { defineNamespaceLifecycle } from './namespace-lifecycle.js';
import { defineParameterRights } from './parameter-rights.js';
import { defineDefaultTolerationSeconds, type TolerationSeconds } from './pods/default-toleration-seconds.js';
import { definePriority } from './pods/priority.js';
import { defineRuntimeClass } from './pods/runtime-class.js';
import { defineRoleEscalation } from './role-escalation.js';
import { defineServiceAccount } from './service-account/index.js';
import { defineStorageObjectInUseProtection } from './storage-object-in-use-protection.js';
import { defineSystemPriorities } from './system-priorities.js';
import { defineTaintNodesByCondition } from './taint-nodes-by-condition.js';
import { defineValidatingAdmissionPolicy } from './validating-policy/index.js';

export type { TolerationSeconds } from './pods/default-toleration-seconds.js';
export { typeWarnings as policyTypeWarnings } from './validating-policy/type-check.js';
export {
  defineCertificateApproval,
  defineCertificateSigning,
  defineCertificateSubjectRestriction,
  defineDefaultIngressClass,
  defineDefaultStorageClass,
  defineDefaultTolerationSeconds,
  defineLimitRanger,
  defineNamespaceLifecycle,
  defineParameterRights,
  definePersistentVolumeClaimResize,
  definePriority,
  defineRoleEscalation,
  defineRuntimeClass,
  defineServiceAccount,
  defineStorageObjectInUseProtection,
  defineSystemPriorities,
  defineTaintNodesByCondition,
  defineValidatingAdmissionPolicy,
};

/** The parts of the server that some plugins need. */
export interface AdmissionParts {
  /** Absent where rights do not go by roles. */
  readonly rules?: RuleResolver;
  /** How long pods stay on nodes that are not ready or not reachable, where they do not say it. */
  readonly tolerations?: TolerationSeconds | undefined;
}

/** All of them are on unless a flag turns one off. */
export function admissionPlugins(
  names: Naming,
  { rules, tolerations }: AdmissionParts = {},
): readonly AdmissionPlugin[] {
  return [
    defineNamespaceLifecycle(names),
    defineLimitRanger(names),
    defineServiceAccount(names),
    defineTaintNodesByCondition(names),
    definePriority(names),
    defineDefaultTolerationSeconds(names, tolerations),
    defineDefaultStorageClass(names),
    defineStorageObjectInUseProtection(names),
    definePersistentVolumeClaimResize(names),
    defineRuntimeClass(names),
    defineCertificateApproval(names),
    defineCertificateSigning(names),
    defineCertificateSubjectRestriction(names),
    defineDefaultIngressClass(names),
    defineSystemPriorities(names),
    // After all that may change a role.
    ...(rules ? [defineRoleEscalation(names, rules)] : []),
    defineParameterRights(names),
    defineValidatingAdmissionPolicy(names),
  ];
}
