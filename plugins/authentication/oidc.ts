/** Recognizes users by ID tokens of an identity provider (OpenID Connect Core 1.0). */
import { decodeJwt } from 'jose/jwt/decode';
import type { Authentication, Authenticator, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { getOwn, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { memoize } from '../../runtime/objects/memoize.js';
import { quote } from '../../runtime/objects/printing.js';
import { defineProvider, type GetText, httpsGetter, type OnFetch } from './oidc-provider.js';
import { bearerToken } from './tokens.js';
import { authenticatedUser } from './user-info.js';
import { type TokenRules, verifyToken } from './verify-id-token.js';

export interface OidcOptions {
  /** The HTTPS URL of the provider: the claim `iss` of its tokens. */
  readonly issuerUrl: string;
  /** The client that all tokens must be for: the claim `aud`. */
  readonly clientId: string;
  /** The claim with the name of the user. Default: `sub`. */
  readonly usernameClaim?: string | undefined;
  /** Prefix of user names; `-` for none. Default: the URL and `#`, or none if the claim is `email`. */
  readonly usernamePrefix?: string | undefined;
  /** The claim with the groups. By default, users have no groups from their tokens. */
  readonly groupsClaim?: string | undefined;
  /** Prefix of groups. Default: none. */
  readonly groupsPrefix?: string | undefined;
  /** Claims that tokens must have, with these texts. Default: none. */
  readonly requiredClaims?: Readonly<Record<string, string>> | undefined;
  /** Accepted algorithms. Default: `['RS256']`. */
  readonly signingAlgorithms?: readonly string[] | undefined;
}

/** The algorithms that may be accepted. All are asymmetric, so the server shares no secret with the provider. */
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

/** Longer tokens are ignored, characters. */
const maxLength = 64 * 1024;

/**
 * Creates the authenticator. `ca` returns the current authorities (PEM) for the provider's certificate; `undefined` for
 * Node's own authorities. It first contacts the provider when a token arrives, by `get`. `clock` (milliseconds since
 * 1970) is for the times in tokens; `elapsed` (milliseconds since any fixed time) for the age of the provider's keys.
 */
export function defineOidc(
  options: OidcOptions,
  ca?: () => string | undefined,
  clock?: () => number,
  elapsed?: () => number,
  get: GetText = httpsGetter(ca),
): Authenticator {
  const { issuerUrl, clientId, groupsClaim, signingAlgorithms: algorithms = ['RS256'] } = options;
  const claimRules = claimRulesOf(options);
  return defineJwt(
    { issuerUrl, audiences: [clientId], algorithms, groupsClaim },
    (claims) => userOfClaims(claims, claimRules),
    get,
    clock,
    elapsed,
  );
}

/** The tokens of an issuer that are accepted. */
export interface JwtOptions {
  /** The claim `iss`. */
  readonly issuerUrl: string;
  /** The URL of the issuer's discovery document. Default: below its own URL. */
  readonly discoveryUrl?: string | undefined;
  /** A token must be for one of these: the claim `aud`. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  /** The claim that may be in another token (OpenID Connect Core 1.0 section 5.6.2). Default: none. */
  readonly groupsClaim?: string | undefined;
  /** Receives the keys of the issuer whenever they are fetched. */
  readonly onFetch?: OnFetch;
}

/** An authenticator of one issuer. */
export interface JwtAuthenticator extends Authenticator {
  /** Fetches the issuer's keys, unless they are known. Rejects if it cannot be reached. */
  readonly prepare: () => Promise<void>;
}

/**
 * Creates an authenticator for the tokens of one issuer. `userOf` makes the user from verified claims, or refuses them.
 */
export function defineJwt(
  { issuerUrl: issuer, discoveryUrl, audiences, algorithms, groupsClaim, onFetch }: JwtOptions,
  userOf: (claims: JsonObject) => Authentication,
  get: GetText,
  clock: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): JwtAuthenticator {
  const provider = defineProvider(issuer, get, elapsed, discoveryUrl, onFetch);
  const rules = { audiences, algorithms, clock, elapsed };
  const lookUp = groupsClaim === undefined ? undefined : defineDistributedClaims(groupsClaim, get, rules);
  const recognize = async (token: string): Promise<Authentication> => {
    const verified = await verifyToken(token, provider, { ...rules, issuer });
    if (!verified.ok) return { refused: `oidc: ${verified.problem}` };
    const { claims } = verified;
    if (!lookUp || groupsClaim === undefined || getOwn(claims, groupsClaim) !== undefined) return userOf(claims);
    const found = await lookUp(claims);
    if (!found) return userOf(claims);
    if (!found.ok) return { refused: `oidc: could not expand distributed claims: ${found.problem}` };
    return userOf({ ...claims, [groupsClaim]: found.value });
  };
  return {
    name: 'oidc',
    prepare: async () => void (await provider.keys()),
    authenticate(credentials) {
      const token = bearerToken(credentials);
      // Leave tokens of other issuers to other authenticators.
      if (token === undefined || token.length > maxLength || issuerOf(token) !== issuer) return undefined;
      return recognize(token);
    },
  };
}

/** Returns the rules with their defaults. */
export function claimRulesOf(options: OidcOptions): ClaimRules {
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

/** Reads the issuer of a token before its signature is verified. */
function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** The claims with the user's name and groups. */
interface ClaimRules {
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  /** The claim with the groups, a string or a list of strings. `undefined` for no groups. */
  readonly groupsClaim: string | undefined;
  readonly groupsPrefix: string;
  /** Claims that the token must have, with these texts. */
  readonly requiredClaims: Readonly<Record<string, string>>;
}

/** Makes the user from claims by their names, or refuses them. */
function userOfClaims(claims: JsonObject, rules: ClaimRules): Authentication {
  const name = getOwn(claims, rules.usernameClaim);
  if (typeof name !== 'string' || name === '')
    return refuse(`the claim ${quote(rules.usernameClaim)} is not a text, or is empty`);
  // If the provider does not say whether the address is verified, it counts as verified.
  const isVerified = getOwn(claims, 'email_verified') ?? true;
  if (rules.usernameClaim === 'email' && isVerified !== true) return refuse('the email address is not verified');
  const groups = groupsOf(claims, rules.groupsClaim);
  if (!groups) return refuse(`the claim ${quote(rules.groupsClaim ?? '')} is neither a text nor a list of texts`);
  for (const [claim, wanted] of Object.entries(rules.requiredClaims)) {
    if (getOwn(claims, claim) !== wanted) return refuse(`the claim ${quote(claim)} is not as required`);
  }
  const named = groups.map((group) => rules.groupsPrefix + group);
  return { user: authenticatedUser(rules.usernamePrefix + name, '', named) };
}

/** Returns the groups of a claim with one text or a list, or `undefined` if it holds anything else. */
export function groupsOf(claims: JsonObject, claim: string | undefined): readonly string[] | undefined {
  const groups = claim === undefined ? undefined : getOwn(claims, claim);
  if (groups === undefined) return [];
  if (typeof groups === 'string') return [groups];
  return isStringArray(groups) ? groups : undefined;
}

const refuse = (why: string): Authentication => ({ refused: `oidc: ${why}` });

/** The value of the claim, or why the lookup failed; `undefined` if the token names no source for it. */
type DistributedClaim =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string }
  | undefined;

/** Creates a function that looks up a distributed claim. The source answers with another token, of any issuer. */
function defineDistributedClaims(
  claim: string,
  get: GetText,
  rules: Omit<TokenRules, 'issuer'> & { readonly elapsed: () => number },
): (claims: JsonObject) => Promise<DistributedClaim> {
  // Keep providers: the same issuer is asked again and again.
  const providerOf = memoize((issuer) => defineProvider(issuer, get, rules.elapsed), { most: 32 });
  const resolve = async (url: string, accessToken: string): Promise<DistributedClaim> => {
    const token = (await get(url, accessToken === '' ? undefined : `Bearer ${accessToken}`)).trim();
    const issuer = String(decodeJwt(token).iss ?? '');
    const verified = await verifyToken(token, providerOf(issuer), { ...rules, issuer });
    if (!verified.ok) return verified;
    const value = getOwn(verified.claims, claim);
    return value === undefined ? { ok: false, problem: `${url} does not have the claim` } : { ok: true, value };
  };
  return async (claims) => {
    const names = objectAt(claims, '_claim_names');
    if (!names) return undefined;
    const source = stringAt(names, claim);
    if (source === '') return undefined;
    const place = objectAt(objectAt(claims, '_claim_sources'), source);
    if (!place) return { ok: false, problem: `the source ${JSON.stringify(source)} is not among the sources` };
    const url = stringAt(place, 'endpoint');
    // As in the reference, a source that holds the claim itself is ignored.
    if (url === '') return undefined;
    return resolve(url, stringAt(place, 'access_token')).catch((error: unknown) => ({
      ok: false,
      problem: error instanceof Error ? error.message : String(error),
    }));
  };
}
