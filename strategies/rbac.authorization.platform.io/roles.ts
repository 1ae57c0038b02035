/** Role: the rules that it may have. */
import { defineRoleHandlers } from '../../generated/rbac.authorization.platform.io/v1/roles/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { policyRuleErrors } from './policy-rules.js';

export const defineRoles = (): KindHandlers =>
  defineRoleHandlers({
    repeatsMetadataErrors: true,
    validate: ({ rules }) => policyRuleErrors(rules, 'Namespaced'),
    // The errors of an update are reported twice.
    validateUpdate: ({ rules }) => policyRuleErrors(rules, 'Namespaced'),
  });
