/** Tells in the status of a definition in one of the project's own groups whether that has been approved. */
import type { ApiObject } from '../../contract/index.js';
import { approvalIn, type DefinitionCondition, isProtectedGroup } from '../../objects/definition-conditions.js';
import type { Naming } from '../../objects/naming.js';

/** The condition by which definitions tell of their approval. */
export const approvalType = 'KubernetesAPIApprovalPolicyConformant';

const reasons = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  bypassed: 'UnapprovedAPI',
  approved: 'ApprovedAnnotation',
} as const;

/** The condition for a definition; absent for groups that need no approval. */
export function approvalCondition(
  { metadata }: ApiObject,
  group: string,
  naming: Naming,
): DefinitionCondition | undefined {
  if (!isProtectedGroup(group, naming)) return undefined;
  const { state, message } = approvalIn(metadata.annotations, naming);
  return { type: approvalType, status: state === 'approved' ? 'True' : 'False', reason: reasons[state], message };
}
