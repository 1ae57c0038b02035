/** The objects of a new server, which are there before it is ready; one file for each kind of them. */
import { apiServices } from './api-services.js';
import type { BootstrapHook } from './ensure-objects.js';
import { flowControl } from './flow-control.js';
import { kubernetesService } from './kubernetes-service.js';
import { systemNamespaces, systemPriorities } from './namespaces.js';
import { bootstrapRoles } from './roles/roles.js';
import { serviceAddresses } from './service-addresses.js';

export type { BootstrapHook, BootstrapParts } from './ensure-objects.js';
export { OtherNamingError } from './namespaces.js';
export { rulesOfSystemRole } from './roles/rule-objects.js';
export { advertisedAddress } from './service-addresses.js';

/** Namespaces first: other objects live in them. What records addresses has to be right before one is given to anyone. */
export const firstHooks: readonly BootstrapHook[] = [systemNamespaces, serviceAddresses];

export const laterHooks: readonly BootstrapHook[] = [
  bootstrapRoles,
  flowControl,
  kubernetesService,
  systemPriorities,
  apiServices,
];
