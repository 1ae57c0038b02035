/** Says to clients which identity provider the server trusts: OAuth 2.0 Protected Resource Metadata (RFC 9728). */
import type { JsonObject } from '../../runtime/contract/index.js';
import { claimRulesOf, type OidcOptions } from './oidc.js';

/** A document that everybody may read, and its path. */
export interface ResourceMetadata {
  readonly path: string;
  readonly contentType: string;
  readonly isPublic: true;
  readonly read: (address: string, host: string) => JsonObject;
}

/**
 * Returns the document from which `kindforge login` learns where to log in. Everybody may read it, so it has names only:
 * of required claims it has no values.
 */
export function resourceMetadata(options: OidcOptions): ResourceMetadata {
  const { issuerUrl, clientId, signingAlgorithms = ['RS256'] } = options;
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix, requiredClaims } = claimRulesOf(options);
  const login = {
    client_id: clientId,
    signing_algorithms: [...signingAlgorithms],
    username_claim: usernameClaim,
    username_prefix: usernamePrefix,
    ...(groupsClaim === undefined ? {} : { groups_claim: groupsClaim, groups_prefix: groupsPrefix }),
    required_claims: Object.keys(requiredClaims),
  };
  return {
    path: '/.well-known/oauth-protected-resource',
    contentType: 'application/json',
    isPublic: true,
    read: (_address, host) => ({
      resource: `https://${host}`,
      authorization_servers: [issuerUrl],
      bearer_methods_supported: ['header'],
      // RFC 9728 section 2 lets documents have further members.
      kindforge_login: login,
    }),
  };
}
