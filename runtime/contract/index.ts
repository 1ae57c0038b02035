/**
 * The entry point through which generated code, plugins and strategies see the runtime. It only has types, and one
 * version number for all of them.
 */

export type * from './admission.js';
export type * from './allocation.js';
export type * from './audit.js';
export type * from './authenticator.js';
export type * from './authorizer.js';
export type * from './backend.js';
export type * from './conversion.js';
export type * from './draft.js';
export type * from './event-handlers.js';
export type * from './failure.js';
export type * from './follow.js';
export type * from './handler-context.js';
export type * from './handlers.js';
export type * from './object.js';
export type * from './object-access.js';
export type * from './observer.js';
export type * from './resource.js';
export type * from './schema.js';
export type * from './schema-functions.js';
export type * from './shared-driver.js';
export type * from './store.js';
export type * from './tracing.js';
export type * from './validator.js';
export type * from './virtual.js';
export type * from './webhook-line.js';
