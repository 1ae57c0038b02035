/**
 * The kit for extensions and generated code: the types of all extension points, and functions that need neither a
 * server nor Node. Published as `kindforge/contract`.
 */
export * from './plugins/kit.js';
export type * from './runtime/contract/index.js';
export { ofKind } from './runtime/objects/handler-support.js';
export * from './runtime/objects/index.js';
export * from './runtime/schema/support.js';
