/** The ways to find out who makes a request that come with the server. */
export { type Administrator, administratorName, administratorUser, defineAdministrator } from './administrator.js';
export { defineAnonymous } from './anonymous.js';
export { defineBootstrapTokens } from './bootstrap-token.js';
export * from './certificates/index.js';
export { defineLoopback, type Loopback } from './loopback.js';
export * from './service-account/index.js';
export { defineTokenFile, type TokenFileResult } from './token-file.js';
export { defineUnknownTokens } from './unknown-token.js';
export { anonymousUser, authenticatedUser } from './users.js';
