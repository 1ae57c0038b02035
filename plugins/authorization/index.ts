/** The authorizers that come with the server. */
export { defineAbac, type PolicyFileResult, readPolicyFile } from './abac.js';
export { compileMatchCondition } from './match-conditions.js';
export { administrators, defineAdministrators, defineAlwaysAllow, defineAlwaysDeny, defineInOrder } from './modes.js';
export { defineNode, type NodeAuthorizerOptions } from './node.js';
export { type Binding, type RoleReference, readBinding, readRoleReference, type Subject } from './rbac/binding.js';
export { quoted, uncovered } from './rbac/coverage.js';
export { gatheredRules } from './rbac/policy-index.js';
export { defineRbac, type HeldRules, type RbacOptions, type RuleResolver } from './rbac/rbac.js';
export { type PolicyRule, RuleTable, rulesOf } from './rbac/rule-table.js';
export {
  type AuthorizationWebhookOptions,
  defineAuthorizationWebhook,
  type ReviewVersion,
} from './webhook.js';
