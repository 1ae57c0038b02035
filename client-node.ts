/** The SDK in Node: connections, and the kit for controllers. Published as `kindforge/client/node`. */
export * from './client/node.js';
export * from './controllers/kit/index.js';
