/** Looks up a claim that a token leaves to another place (OpenID Connect Core 1.0 section 5.6.2). */
import { decodeJwt } from 'jose/jwt/decode';
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { getOwn, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { memoize } from '../../../runtime/objects/memoize.js';
import type { GetText } from './get-text.js';
import { defineProvider } from './provider.js';
import { type TokenRules, verifyToken } from './verify-token.js';

/** The value of the claim, or why it could not be looked up; `undefined` where the token leaves it to nobody. */
export type DistributedClaim =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string }
  | undefined;

/** Looks up one claim of tokens. The other place answers with a token too, of whatever issuer it names. */
export function defineDistributedClaims(
  claim: string,
  get: GetText,
  rules: Omit<TokenRules, 'issuer'>,
): (claims: JsonObject) => Promise<DistributedClaim> {
  // An issuer that is asked once is asked again.
  const providerOf = memoize((issuer) => defineProvider(issuer, get, rules.clock), { most: 32 });
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
    // A source that has the claim itself is passed over, as in the reference.
    if (url === '') return undefined;
    return resolve(url, stringAt(place, 'access_token')).catch((error: unknown) => ({
      ok: false,
      problem: error instanceof Error ? error.message : String(error),
    }));
  };
}
