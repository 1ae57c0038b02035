/** Tokens of service accounts: keys, signing, and who comes with them. */
export { defineServiceAccountTokens, type ServiceAccountTokensOptions } from './authenticator.js';
export { defineTokenIssuer, type IssuerOptions } from './issuer.js';
export { type IssuerDocument, issuerDocuments } from './issuer-documents.js';
export {
  type CheckingKey,
  deriveSigningKey,
  type KeyResult,
  readCheckingKey,
  readSigningKey,
  type SigningKey,
} from './signing-key.js';
