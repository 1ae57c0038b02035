/** Role-based access control. */
export { gatheredRules } from './aggregation.js';
export { type Binding, type RoleReference, readBinding, readRoleReference, type Subject } from './binding.js';
export { quoted, uncovered } from './coverage.js';
export { type PolicyRule, rulesOf } from './policy-rule.js';
export { defineRbac, type HeldRules, type RbacOptions, type RuleResolver } from './rbac.js';
export { RuleTable } from './rule-table.js';
