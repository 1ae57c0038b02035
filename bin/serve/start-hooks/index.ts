/** The start hooks that come with the server. */
import { bootstrapRoles } from './bootstrap-roles.js';
import { flowControl } from './flow-control.js';
import { kubernetesService } from './kubernetes-service.js';
import { serviceAddresses } from './service-addresses.js';
import type { StartHook } from './start-hook.js';
import { systemNamespaces } from './system-namespaces.js';
import { systemPriorities } from './system-priorities.js';

export { defineStartHooks, type StartHooks } from './run-hooks.js';
export type { Circumstances, StartHook } from './start-hook.js';

/** Namespaces first: other objects live in them. What records addresses has to be right before one is given to anyone. */
export const firstHooks: readonly StartHook[] = [systemNamespaces, serviceAddresses];

export const laterHooks: readonly StartHook[] = [bootstrapRoles, flowControl, kubernetesService, systemPriorities];
