/** Names, values and failures for strategies and plugins; published as `kindforge/objects`. */
export { defineStrategy } from './define-strategy.js';
export { defineVirtualHandler } from './define-virtual-handler.js';
export { equal } from './equality.js';
export * from './failures.js';
export * from './field-error.js';
export * from './guards.js';
export { kubernetesNaming, type Naming, type NamingId, namingOf, platformNaming } from './naming.js';
