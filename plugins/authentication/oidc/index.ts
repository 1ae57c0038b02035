/** OpenID Connect: users by the ID tokens of a provider. */
export { defineOidc, type OidcOptions, oidcAlgorithms } from './authenticator.js';
