/** Gets ID tokens: from the last login, with the refresh token, or by asking people to log in. */
import { decodeJwt } from 'jose';
import type { TokenEndpointResponse } from 'oauth4webapi';
import { type OpenProvider, withProvider } from '../../client/node/openid.js';
import { Refusal } from '../objects/failure.js';
import { fieldsOf } from '../objects/printing.js';
import { signInByCode } from './authorization-code.js';
import { signInByDevice } from './device-code.js';
import { explainProvider } from './explain.js';
import type { LoginPeople, LoginSettings, Tokens } from './settings.js';
import { readTokens, withLock, writeTokens } from './token-cache.js';

/** Asks people to log in. Rejects with a `Refusal` that has advice. */
export const signIn = (settings: LoginSettings, people: LoginPeople): Promise<Tokens> =>
  atProvider(settings, async (provider) => {
    const scope = scopesFor(settings, provider.server.scopes_supported);
    const sign = settings.deviceCode ? signInByDevice : signInByCode;
    return tokensOf(await sign(provider, { ...settings, scope }, people), settings);
  });

/**
 * Resolves to valid tokens: from the file, renewed, or from a new login. Saves new ones in the file. Only one process
 * at a time does this, because some refresh tokens can be used only once.
 */
export async function currentTokens(settings: LoginSettings, people: LoginPeople, file: string): Promise<Tokens> {
  const known = readTokens(file);
  if (known && isCurrent(known)) return known;
  return withLock(file, settings.timeoutMs, people, async () => {
    const before = readTokens(file);
    if (before && isCurrent(before)) return before;
    const next = (before && (await renew(before, settings, people))) ?? (await signIn(settings, people));
    writeTokens(file, next);
    return next;
  });
}

/** Renews tokens. Resolves to `undefined` if people must log in. */
async function renew(
  { refreshToken }: Tokens,
  settings: LoginSettings,
  { tell }: LoginPeople,
): Promise<Tokens | undefined> {
  if (refreshToken === undefined) return undefined;
  return atProvider(settings, async ({ oauth, server, client, proof, options }) => {
    try {
      const answer = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, options);
      const renewed = await oauth.processRefreshTokenResponse(server, client, answer);
      // Providers may leave out the ID token here (OpenID Connect Core 1.0 section 12.2).
      return renewed.id_token === undefined
        ? undefined
        : tokensOf({ refresh_token: refreshToken, ...renewed }, settings);
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError) || error.error !== 'invalid_grant') throw error;
      tell(`kindforge: ${settings.issuer} has ended the session; log in again`);
      return undefined;
    }
  });
}

async function atProvider<T>(settings: LoginSettings, use: (provider: OpenProvider) => Promise<T>): Promise<T> {
  try {
    return await withProvider(settings, use);
  } catch (error) {
    throw explainProvider(error, settings);
  }
}

/** Scopes to ask for, if the provider has them: claims about the user, and refresh tokens. */
const usefulScopes = ['profile', 'email', 'groups', 'offline_access'];

/** Returns the scopes of a login, with spaces between. */
export function scopesFor({ scopes }: Pick<LoginSettings, 'scopes'>, supported: unknown): string {
  const known: readonly unknown[] = Array.isArray(supported) ? supported : [];
  return (scopes ?? ['openid', ...usefulScopes.filter((scope) => known.includes(scope))]).join(' ');
}

function tokensOf({ id_token, refresh_token }: Partial<TokenEndpointResponse>, { issuer }: LoginSettings): Tokens {
  if (id_token === undefined) {
    throw new Refusal(
      `the provider ${issuer} gave no ID token`,
      'It may support OAuth only, as GitHub does; put an OpenID provider such as Dex in front of it',
    );
  }
  return { idToken: id_token, ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }) };
}

/** A token that expires within this time may have expired when it arrives, milliseconds. */
const leewayMs = 10_000;

const isCurrent = ({ idToken }: Tokens): boolean => endOf(idToken) > Date.now();

/** Returns the time until which a token can be used, milliseconds since 1970; 0 if it is not a token. */
export function endOf(idToken: string): number {
  return Number(claimsOf(idToken).exp ?? 0) * 1000 - leewayMs;
}

/** Returns the claims of a token without checking its signature; no claims if it is not a token. */
export function claimsOf(idToken: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(decodeJwt(idToken));
  } catch {
    return {};
  }
}
