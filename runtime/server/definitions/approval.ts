/** Tells whether a definition in one of the project's own groups says that it has been approved. */
import type { ApiObject } from '../../contract/index.js';
import { stringAt } from '../../objects/guards.js';
import type { Naming } from '../../objects/naming.js';
import type { DefinitionCondition } from './conditions.js';

/** The condition by which definitions tell of their approval. */
export const approvalType = 'KubernetesAPIApprovalPolicyConformant';

const protectedDomains: Readonly<Record<Naming['id'], readonly string[]>> = {
  kubernetes: ['k8s.io', 'kubernetes.io'],
  platform: ['platform.io'],
};

const policy = 'https://github.com/kubernetes/enhancements/pull/1111';

/** The condition for a definition; absent for groups that need no approval. */
export function approvalCondition(
  definition: ApiObject,
  group: string,
  naming: Naming,
): DefinitionCondition | undefined {
  if (!protectedDomains[naming.id].some((domain) => group === domain || group.endsWith(`.${domain}`))) return undefined;
  const annotation = naming.rename('api-approved.platform.io');
  const value = stringAt(definition.metadata.annotations, annotation);
  const condition = (status: 'True' | 'False', reason: string, message: string): DefinitionCondition => ({
    type: approvalType,
    status,
    reason,
    message,
  });
  if (value === '') {
    const message = `protected groups must have approval annotation ${JSON.stringify(annotation)}, see ${policy}`;
    return condition('False', 'MissingAnnotation', message);
  }
  if (value.startsWith('unapproved')) {
    return condition('False', 'UnapprovedAPI', `not approved: ${JSON.stringify(value)}`);
  }
  if (!isAddress(value)) {
    const message = `protected groups must have approval annotation ${JSON.stringify(annotation)} with either a URL or a reason starting with "unapproved", see ${policy}`;
    return condition('False', 'InvalidAnnotation', message);
  }
  return condition('True', 'ApprovedAnnotation', `approved in ${value}`);
}

/** Whether a text is an absolute URL with a host. */
function isAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).host !== '';
}
