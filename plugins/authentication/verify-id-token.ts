/** Verifies ID tokens with the keys of their provider. */
import type { JSONWebKeySet } from 'jose';
import type { JsonObject } from '../../runtime/contract/index.js';
import { getOwn, isObject, stringAt } from '../../runtime/objects/guards.js';
import { audiencesOf } from './claims.js';
import type { Provider } from './oidc-provider.js';

/** Verifies a token. Never rejects: if the provider cannot be reached, the token is refused. */
export async function verifyToken(token: string, provider: Provider, rules: TokenRules): Promise<VerifiedToken> {
  let claims: JsonObject | undefined;
  try {
    claims =
      (await verifyWith(await provider.keys(), token, rules.algorithms)) ??
      (await verifyWith(await provider.newerKeys(), token, rules.algorithms));
  } catch (error) {
    return { ok: false, problem: `verify token: ${error instanceof Error ? error.message : String(error)}` };
  }
  const problem = claims ? claimsProblem(claims, rules) : 'not signed with a key of the issuer';
  return claims && problem === undefined ? { ok: true, claims } : { ok: false, problem: `verify token: ${problem}` };
}

/** The claims of a valid token, or why it is not valid. */
type VerifiedToken =
  | { readonly ok: true; readonly claims: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** The tokens that are valid. */
export interface TokenRules {
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** The accepted algorithms (RFC 7518 section 3.1), all asymmetric. */
  readonly algorithms: readonly string[];
  readonly clock: () => number;
}

/**
 * Returns the claims of a token if one of the keys signed it, else `undefined`. Rejects if other keys could not help:
 * the algorithm is not accepted, or the text is not a token.
 */
async function verifyWith(
  { keys }: JSONWebKeySet,
  token: string,
  algorithms: readonly string[],
): Promise<JsonObject | undefined> {
  const [{ compactVerify }, { importJWK }, { decodeProtectedHeader }] = await Promise.all([
    import('jose/jws/compact/verify'),
    import('jose/key/import'),
    import('jose/decode/protected_header'),
  ]);
  const { alg = '', kid } = decodeProtectedHeader(token);
  if (!algorithms.includes(alg)) throw new Error(`the algorithm ${JSON.stringify(alg)} is not accepted`);
  for (const key of keys) {
    const isFor = (key.use === undefined || key.use === 'sig') && (key.alg === undefined || key.alg === alg);
    // A shared secret never verifies a token, even if the provider publishes one.
    if (!isFor || key.kty === 'oct' || (kid !== undefined && kid !== key.kid)) continue;
    try {
      const { payload } = await compactVerify(token, await importJWK(key, alg), { algorithms: [...algorithms] });
      const claims: unknown = JSON.parse(Buffer.from(payload).toString());
      if (isObject(claims)) return claims;
    } catch {
      // Not signed with this key.
    }
  }
  return undefined;
}

/** How far the provider's clock may be ahead, milliseconds. As in the reference, it may not be behind. */
const aheadMs = 60_000;

function claimsProblem(claims: JsonObject, { issuer, audiences, clock }: TokenRules): string | undefined {
  if (stringAt(claims, 'iss') !== issuer) return 'it comes from another issuer';
  if (!audiencesOf(claims).some((audience) => audiences.includes(audience))) {
    return `it is not for the client ${audiences.map((one) => JSON.stringify(one)).join(' or ')}`;
  }
  const now = clock();
  const [end, start] = [getOwn(claims, 'exp'), getOwn(claims, 'nbf')];
  if (typeof end !== 'number' || now >= end * 1000) return 'it has expired';
  if (start === undefined) return undefined;
  return typeof start === 'number' && now + aheadMs >= start * 1000 ? undefined : 'it is not valid yet';
}
