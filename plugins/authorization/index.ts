/** The ways to decide who may do what that come with the server. */
export * from './abac/index.js';
export { administrators, defineAdministrators } from './administrators.js';
export { defineAlwaysAllow } from './always-allow.js';
export { defineAlwaysDeny } from './always-deny.js';
export { defineInOrder } from './in-order.js';
export * from './node/index.js';
export * from './rbac/index.js';
export * from './webhook/index.js';
