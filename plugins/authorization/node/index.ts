/** Authorization of nodes. */
export { defineNode, type NodeAuthorizerOptions } from './node.js';
