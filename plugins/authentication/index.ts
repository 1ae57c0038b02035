/** The authenticators that come with the server. */

export { type Authority, clockToleranceMs, defineAuthority, type KeyPair } from './certificate-authority.js';
export { defineClientCertificates, readAuthorities } from './client-certificates.js';
export {
  type CheckingKey,
  defineTokenIssuer,
  deriveSigningKey,
  type IssuerDocument,
  type IssuerOptions,
  issuerDocuments,
  type KeyResult,
  readCheckingKeys,
  readSigningKey,
  type SigningKey,
} from './issuer.js';
export { defineOidc, type OidcOptions, oidcAlgorithms } from './oidc.js';
export { defineRequestHeaders, identifiesUser, type RequestHeaders } from './request-header.js';
export { defineServiceAccountTokens, type ServiceAccountTokensOptions } from './service-account.js';
export { defineTokenWebhook, type TokenWebhookOptions } from './token-webhook.js';
export {
  type Administrator,
  administratorName,
  administratorUser,
  defineAdministrator,
  defineAnonymous,
  defineBootstrapTokens,
  defineLoopback,
  defineTokenFile,
  defineUnknownTokens,
  type Loopback,
  type TokenFileResult,
} from './tokens.js';
