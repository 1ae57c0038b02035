/** Verifies ID tokens (OpenID Connect Core 1.0 section 3.1.3.7): signature, issuer, audience and time. */
import type { JSONWebKeySet } from 'jose';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isObject, stringAt } from '../../../runtime/objects/guards.js';
import { audiencesOf } from '../service-account/claims.js';
import type { Provider } from './provider.js';

/** The claims of a token that is good, or why it is not. */
export type VerifiedToken =
  | { readonly ok: true; readonly claims: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** The rules that a token is held against. */
export interface TokenRules {
  readonly issuer: string;
  readonly clientId: string;
  /** The algorithms (RFC 7518 section 3.1) that are accepted: asymmetric ones. */
  readonly algorithms: readonly string[];
  readonly clock: () => number;
}

/** Clocks of providers may be ahead by this much, milliseconds; as in the reference, none may be behind. */
const aheadMs = 60_000;

/** Never rejects: a provider that cannot be asked is a problem of its tokens. */
export async function verifyToken(token: string, provider: Provider, rules: TokenRules): Promise<VerifiedToken> {
  let claims: JsonObject | undefined;
  try {
    claims =
      (await verifyWith(await provider.keys(), token, rules.algorithms)) ??
      (await verifyWith(await provider.newerKeys(), token, rules.algorithms));
  } catch (error) {
    return { ok: false, problem: `verify token: ${error instanceof Error ? error.message : String(error)}` };
  }
  const problem = claims ? claimsProblem(claims, rules) : 'no key of the issuer has signed it';
  return claims && problem === undefined ? { ok: true, claims } : { ok: false, problem: `verify token: ${problem}` };
}

/**
 * The claims of a token that one of the keys has signed; `undefined` where none has. Rejects where that cannot change with
 * other keys: the algorithm is not accepted, or the token is none.
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
    // Secrets are no keys to check with, whoever publishes them.
    if (!isFor || key.kty === 'oct' || (kid !== undefined && kid !== key.kid)) continue;
    try {
      const { payload } = await compactVerify(token, await importJWK(key, alg), { algorithms: [...algorithms] });
      const claims: unknown = JSON.parse(Buffer.from(payload).toString());
      if (isObject(claims)) return claims;
    } catch {
      // Not of this key.
    }
  }
  return undefined;
}

function claimsProblem(claims: JsonObject, { issuer, clientId, clock }: TokenRules): string | undefined {
  if (stringAt(claims, 'iss') !== issuer) return 'it is of another issuer';
  if (!audiencesOf(claims).includes(clientId)) return `it is not for the client ${JSON.stringify(clientId)}`;
  const now = clock();
  const [end, start] = [getOwn(claims, 'exp'), getOwn(claims, 'nbf')];
  if (typeof end !== 'number' || now >= end * 1000) return 'it has expired';
  if (start === undefined) return undefined;
  return typeof start === 'number' && now + aheadMs >= start * 1000 ? undefined : 'it is not valid yet';
}
