/** The built-in signers of certificate requests, for the controllers that approve and sign them. */
export { agentNameOf, defineRequestSigner, type RequestedCertificate, type SigningResult } from './sign-request.js';
export type { SignerId } from './signer-rules.js';
export { readSigningAuthority, type SigningAuthority } from './signing-authority.js';
