/** The objects of a new server, with one file for each kind. The server creates them before it is ready. */
import { apiServices } from './api-services.js';
import { authenticationInfo } from './authentication-info.js';
import type { BootstrapHook } from './ensure-objects.js';
import { flowControl } from './flow-control.js';
import { kubernetesService } from './kubernetes-service.js';
import { systemNamespaces, systemPriorities } from './namespaces.js';
import { bootstrapRoles } from './roles/roles.js';
import { serviceAddresses } from './service-addresses.js';
import { serviceBlocks } from './service-ranges.js';

export type { AuthenticationInfo, BootstrapHook, BootstrapParts } from './ensure-objects.js';
export { OtherNamingError } from './namespaces.js';
export { type KindFacts, kindRoleLabel, kindRoles, resourceOfRole } from './roles/kind-roles.js';
export { bootstrapRoles } from './roles/roles.js';
export { rulesOfSystemRole } from './roles/rule-objects.js';
export { advertisedAddress } from './service-addresses.js';

/**
 * Namespaces first, because other objects live in them. Records of addresses must be right before the server allocates
 * an address.
 */
export const firstHooks: readonly BootstrapHook[] = [systemNamespaces, serviceAddresses];

export const laterHooks: readonly BootstrapHook[] = [
  bootstrapRoles,
  flowControl,
  kubernetesService,
  serviceBlocks,
  systemPriorities,
  apiServices,
  authenticationInfo,
];
