/** Authorization by a file of policies. */
export { defineAbac } from './abac.js';
export { type PolicyFileResult, readPolicyFile } from './policy-file.js';
