/** Role: the rules that it may have. */
import type { Role } from '../../generated/rbac.authorization.platform.io/v1/roles/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import { policyRuleErrors } from './policy-rules.js';

export const defineRoleStrategy = (): Strategy =>
  defineStrategy<Role>('rbac.authorization.platform.io/Role', {
    repeatsMetadataErrors: true,
    validate: ({ rules }) => policyRuleErrors(rules, 'Namespaced'),
    // The errors of an update are reported twice.
    validateUpdate: ({ rules }) => policyRuleErrors(rules, 'Namespaced'),
  });
