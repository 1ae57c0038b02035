/** The admission plugins that come with the server, in the order in which they run. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { RuleResolver } from '../authorization/index.js';
import { defineCertificateApproval } from './certificate-approval.js';
import { defineCertificateSigning } from './certificate-signing.js';
import { defineCertificateSubjectRestriction } from './certificate-subject-restriction.js';
import { defineNamespaceLifecycle } from './namespace-lifecycle.js';
import { defineParameterRights } from './parameter-rights.js';
import { defineRoleEscalation } from './role-escalation.js';
import { defineStorageObjectInUseProtection } from './storage-object-in-use-protection.js';
import { defineSystemPriorities } from './system-priorities.js';
import { defineValidatingAdmissionPolicy } from './validating-policy/index.js';
import { defineMutatingAdmissionWebhook, defineValidatingAdmissionWebhook } from './webhooks/index.js';
import type { WebhookCalls } from './webhooks/line.js';

export { typeWarnings as policyTypeWarnings } from './validating-policy/type-check.js';
export type { LineAnswer, LineCall, LineTarget, WebhookCalls, WebhookLine } from './webhooks/line.js';
export {
  defineCertificateApproval,
  defineCertificateSigning,
  defineCertificateSubjectRestriction,
  defineMutatingAdmissionWebhook,
  defineNamespaceLifecycle,
  defineParameterRights,
  defineRoleEscalation,
  defineStorageObjectInUseProtection,
  defineSystemPriorities,
  defineValidatingAdmissionPolicy,
  defineValidatingAdmissionWebhook,
};

/** The parts of the server that some plugins need. */
export interface AdmissionParts {
  /** Absent where rights do not go by roles. */
  readonly rules?: RuleResolver;
  /** Absent where no webhooks are called. */
  readonly webhooks?: WebhookCalls;
}

/** All of them are on unless a flag turns one off. */
export function admissionPlugins(names: Naming, { rules, webhooks }: AdmissionParts = {}): readonly AdmissionPlugin[] {
  return [
    defineNamespaceLifecycle(names),
    defineStorageObjectInUseProtection(names),
    defineCertificateApproval(names),
    defineCertificateSigning(names),
    defineCertificateSubjectRestriction(names),
    defineSystemPriorities(names),
    ...(webhooks ? [defineMutatingAdmissionWebhook(names, webhooks)] : []),
    // After all that may change a role.
    ...(rules ? [defineRoleEscalation(names, rules)] : []),
    defineParameterRights(names),
    defineValidatingAdmissionPolicy(names),
    ...(webhooks ? [defineValidatingAdmissionWebhook(names, webhooks)] : []),
  ];
}
