/** Role: which rules are sound. */
import type { Strategy } from '../runtime/contract/index.js';
import { policyRuleErrors } from './parts/policy-rules.js';
import { nullWhereEmpty } from './parts/reading.js';

export function defineRoleStrategy(): Strategy {
  return {
    kind: 'rbac.authorization.platform.io/Role',
    tellsMetadataAgain: true,
    canonicalize: (object) => nullWhereEmpty(object, 'rules'),
    validate: (object) => policyRuleErrors(object, 'Namespaced'),
    // Clients know the errors of an update twice.
    validateUpdate: (object) => policyRuleErrors(object, 'Namespaced'),
  };
}
