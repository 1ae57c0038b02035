/**
 * The typed client of the built-in kinds, their types, and the SDK. Runs in browsers and in Node; published as
 * `kindforge`.
 */
export * from './client/index.js';
export * from './generated/index.js';
