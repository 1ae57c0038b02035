/**
 * The typed client of the built-in kinds, the types of these kinds, and the SDK that both are used with. Runs in browsers and
 * in Node; published as `kindforge`.
 */
export * from './client/index.js';
export * from './generated/index.js';
