/** The ways to find out who makes a request that come with the server. */
export { type Administrator, administratorName, administratorUser, defineAdministrator } from './administrator.js';
export { defineAnonymous } from './anonymous.js';
export { defineBootstrapTokens } from './bootstrap-token.js';
export * from './certificates/index.js';
export { defineLoopback, type Loopback } from './loopback.js';
export * from './oidc/index.js';
export { defineRequestHeaders, type RequestHeaders, tellsUser } from './request-header.js';
export * from './service-account/index.js';
export { defineTokenFile, type TokenFileResult } from './token-file.js';
export * from './token-webhook/index.js';
export { defineUnknownTokens } from './unknown-token.js';
