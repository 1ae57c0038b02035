/** The controllers that come with the server; published as `kindforge/controllers`. */
export { type NamespaceControllerOptions, runNamespaceController } from './namespace.js';
