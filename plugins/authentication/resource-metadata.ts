/** Publishes which identity providers the server trusts: OAuth 2.0 Protected Resource Metadata (RFC 9728). */
import type { JsonObject } from '../../runtime/contract/index.js';
import type { ClaimMapping, ClaimRules } from './claim-rules.js';
import { claimRulesOf, type OidcOptions, oidcAlgorithms } from './oidc.js';

/** A document that everybody may read, and its path. */
export interface ResourceMetadata {
  readonly path: string;
  readonly contentType: string;
  readonly isPublic: true;
  readonly read: (address: string, host: string) => JsonObject;
}

/** A provider that a server trusts. */
export interface PublishedProvider {
  readonly issuerUrl: string;
  /** Names that clients need for a login. Everybody may read them, so they must not be secret. */
  readonly login: JsonObject;
}

/**
 * Returns the document from which `kindforge login` learns where to log in. It lists all providers; `kindforge login`
 * uses the first.
 */
export function resourceMetadata(providers: () => readonly PublishedProvider[]): ResourceMetadata {
  return {
    path: '/.well-known/oauth-protected-resource',
    contentType: 'application/json',
    isPublic: true,
    read(_address, host) {
      const all = providers();
      const [first] = all;
      return {
        resource: `https://${host}`,
        authorization_servers: all.map(({ issuerUrl }) => issuerUrl),
        bearer_methods_supported: ['header'],
        // RFC 9728 section 2 lets documents have further members.
        ...(first && { kindforge_login: first.login }),
      };
    },
  };
}

/** Returns the provider of the options. */
export function providerOf(options: OidcOptions): PublishedProvider {
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
  return { issuerUrl, login };
}

/** An issuer of an AuthenticationConfiguration. Its first audience is used as the client ID. */
interface ConfiguredProvider {
  readonly issuerUrl: string;
  readonly audiences: readonly string[];
  readonly rules: Pick<ClaimRules, 'username' | 'groups' | 'requiredClaims'>;
}

/** Returns the provider of an issuer, without expressions of the configuration. */
export function configuredProvider({ issuerUrl, audiences, rules }: ConfiguredProvider): PublishedProvider {
  const login = {
    client_id: audiences[0] ?? '',
    audiences: [...audiences],
    signing_algorithms: [...oidcAlgorithms],
    ...claimOf('username', rules.username),
    ...claimOf('groups', rules.groups),
    required_claims: [...rules.requiredClaims.keys()],
  };
  return { issuerUrl, login };
}

const claimOf = (name: string, mapping: ClaimMapping | undefined): JsonObject =>
  mapping !== undefined && 'claim' in mapping
    ? { [`${name}_claim`]: mapping.claim, [`${name}_prefix`]: mapping.prefix }
    : {};
