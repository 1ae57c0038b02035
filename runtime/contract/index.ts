/** The door through which generated code, plugins and strategies see the runtime. Types only; versioned as one. */
export type * from './admission.js';
export type * from './authenticator.js';
export type * from './backend.js';
export type * from './conversion.js';
export type * from './deprecated-use.js';
export type * from './failure.js';
export type * from './json.js';
export type * from './object.js';
export type * from './protobuf.js';
export type * from './resource.js';
export type * from './schema.js';
export type * from './schema-functions.js';
export type * from './store.js';
export type * from './strategy.js';
export type * from './user.js';
