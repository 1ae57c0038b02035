/** Recognizes users by ID tokens of a provider of identities (OpenID Connect Core 1.0). */
import { decodeJwt } from 'jose/jwt/decode';
import type { Authentication, Authenticator } from '../../../runtime/contract/index.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { bearerToken } from '../bearer.js';
import { type ClaimRules, userOfClaims } from './claims.js';
import { defineDistributedClaims } from './distributed-claims.js';
import { httpsGetter } from './get-text.js';
import { defineProvider } from './provider.js';
import { verifyToken } from './verify-token.js';

/** The provider, and how its tokens tell users. */
export interface OidcOptions {
  /** The HTTPS URL of the provider: the claim `iss` of its tokens. */
  readonly issuerUrl: string;
  /** The client that all tokens must be for: the claim `aud`. */
  readonly clientId: string;
  /** The claim with the name of the user. Default: `sub`. */
  readonly usernameClaim?: string | undefined;
  /** Put before names; `-` for nothing. Default: the URL and `#`, or nothing where the claim is `email`. */
  readonly usernamePrefix?: string | undefined;
  /** The claim with the groups. Default: tokens tell no groups. */
  readonly groupsClaim?: string | undefined;
  /** Put before groups. Default: nothing. */
  readonly groupsPrefix?: string | undefined;
  /** Claims that tokens must have, with these texts. Default: none. */
  readonly requiredClaims?: Readonly<Record<string, string>> | undefined;
  /** Accepted algorithms. Default: `['RS256']`. */
  readonly signingAlgorithms?: readonly string[] | undefined;
}

/** The algorithms that can be accepted; none of them has a secret that the server would share. */
export const oidcAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
];

/** Longest token that is looked at, in characters. */
const maxLength = 64 * 1024;

/**
 * `ca` has the authorities in PEM that the provider's certificate must come from at the time. The provider is asked at the
 * first token.
 */
export function defineOidc(options: OidcOptions, ca?: () => string, clock: () => number = Date.now): Authenticator {
  const { issuerUrl: issuer, clientId, groupsClaim, signingAlgorithms: algorithms = ['RS256'] } = options;
  const get = httpsGetter(ca);
  const provider = defineProvider(issuer, get, clock);
  const rules = { clientId, algorithms, clock };
  const claimRules = claimRulesOf(options);
  const lookUp = groupsClaim === undefined ? undefined : defineDistributedClaims(groupsClaim, get, rules);
  const recognize = async (token: string): Promise<Authentication> => {
    const verified = await verifyToken(token, provider, { ...rules, issuer });
    if (!verified.ok) return { refused: `oidc: ${verified.problem}` };
    const { claims } = verified;
    if (!lookUp || groupsClaim === undefined || getOwn(claims, groupsClaim) !== undefined) {
      return userOfClaims(claims, claimRules);
    }
    const found = await lookUp(claims);
    if (!found) return userOfClaims(claims, claimRules);
    if (!found.ok) return { refused: `oidc: could not expand distributed claims: ${found.problem}` };
    return userOfClaims({ ...claims, [groupsClaim]: found.value }, claimRules);
  };
  return {
    name: 'oidc',
    authenticate(credentials) {
      const token = bearerToken(credentials);
      // Tokens of other issuers are for other methods to look at.
      if (token === undefined || token.length > maxLength || issuerOf(token) !== issuer) return undefined;
      return recognize(token);
    },
  };
}

function claimRulesOf(options: OidcOptions): ClaimRules {
  const { issuerUrl, usernameClaim = 'sub', groupsClaim, groupsPrefix = '', requiredClaims = {} } = options;
  const byDefault = usernameClaim === 'email' ? '-' : `${issuerUrl}#`;
  const prefix = options.usernamePrefix || byDefault;
  return {
    usernameClaim,
    usernamePrefix: prefix === '-' ? '' : prefix,
    groupsClaim,
    groupsPrefix,
    requiredClaims,
  };
}

/** The issuer that a token names, before its signature is checked. */
function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
