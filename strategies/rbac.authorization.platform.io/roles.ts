/** Role: which rules are sound. */
import type { Strategy } from '../../runtime/contract/index.js';
import { policyRuleErrors } from './policy-rules.js';

export function defineRoleStrategy(): Strategy {
  return {
    kind: 'rbac.authorization.platform.io/Role',
    repeatsMetadataErrors: true,
    validate: (object) => policyRuleErrors(object, 'Namespaced'),
    // Clients know the errors of an update twice.
    validateUpdate: (object) => policyRuleErrors(object, 'Namespaced'),
  };
}
