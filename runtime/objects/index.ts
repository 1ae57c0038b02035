/** Names, values and failures for handlers and plugins. */
export { defineVirtualHandler } from './define-virtual-handler.js';
export { equal } from './equality.js';
export * from './failures.js';
export * from './field-error.js';
export * from './guards.js';
export { kubernetesNaming, type Naming, type NamingId, namingOf, platformNaming } from './names/naming.js';
