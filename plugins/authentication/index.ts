/** The authenticators that come with the server. */

export { type Authority, clockToleranceMs, defineAuthority, type KeyPair } from './certificate-authority.js';
export { type ClaimMapping, type ClaimRules, type ExpressionRule, mapClaims, readsClaim } from './claim-rules.js';
export { defineClientCertificates, readAuthorities } from './client-certificates.js';
export {
  type ConsoleSession,
  type ConsoleSessions,
  codeLifeMs,
  defineConsoleSessions,
  type KnownSession,
} from './console-sessions.js';
export { type ExternalSigner, type ExternalSignerOptions, openExternalSigner } from './external-signer.js';
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
export { type MadeRequest, makeCertificateRequest } from './make-certificate-request.js';
export {
  defineJwt,
  defineOidc,
  type JwtAuthenticator,
  type JwtOptions,
  type OidcOptions,
  oidcAlgorithms,
} from './oidc.js';
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
export {
  type CredentialKind,
  credentialId,
  readUserRecord,
  secretNameOf,
  type UserRecord,
  userGroupProblem,
  userNameProblem,
  userRecordData,
  userSecretType,
  userTokenOf,
} from './user-record.js';
export { defineUsers, type Users } from './users.js';
