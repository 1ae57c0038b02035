/** The SDK in Node: connections, and what controllers are written with. Published as `kindforge/client/node`. */
export * from './client/node.js';
export * from './controllers/kit/index.js';
