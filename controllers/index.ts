/** The controllers that come with the server; published as `kindforge/controllers`. */
export type { Controller, ControllerParts } from './controller.js';
export { defaultAccount } from './default-account.js';
export { defineFlowSchemaStatus } from './flow-schema-status.js';
export { type NamespaceControllerOptions, runNamespaceController } from './namespace.js';
export { definePolicyStatus, type Policy, type PolicyStatusOptions } from './policy-status.js';
export { type ClusterRole, defineRoleAggregation, type RoleAggregationOptions } from './role-aggregation.js';
