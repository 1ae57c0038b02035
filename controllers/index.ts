/** The controllers that come with the server; published as `kindforge/controllers`. */
import type { Controller } from './controller.js';
import { runNamespaceController } from './namespace.js';

export type { Controller, ControllerParts } from './controller.js';
export { defineFlowSchemaStatus } from './flow-schema-status.js';
export { type NamespaceControllerOptions, runNamespaceController } from './namespace.js';
export { definePolicyStatus, type Policy, type PolicyStatusOptions } from './policy-status.js';

/** Those that a server runs where nothing else is said. */
export const builtinControllers: readonly Controller[] = [{ name: 'namespace', run: runNamespaceController }];
