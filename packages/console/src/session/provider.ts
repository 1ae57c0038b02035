/**
 * Signs people in at the identity provider that the server trusts: OpenID Connect Core 1.0, with the code flow for
 * public clients and PKCE (RFC 7636). Does not check signatures, because tokens come from the provider itself. The
 * server checks them.
 */
import { type Login, pendingLogin, type Renewal } from './storage.js';

/** A message for people who cannot sign in. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

/** The answer of a provider. */
export interface Tokens {
  readonly idToken: string;
  /** Absent if the provider gives no refresh token. */
  readonly renewal: Renewal | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The document by which the server names the provider that it trusts (RFC 9728). */
const metadataPath = '/.well-known/oauth-protected-resource';

/** Further scopes besides `openid`, if the provider has them: claims about the user, and refresh tokens. */
const usefulScopes = ['profile', 'email', 'groups', 'offline_access'];

/**
 * Resolves to the provider that the server names; `undefined` if it names none, or if this page may not use
 * cryptography.
 */
export async function publishedLogin(): Promise<Login | undefined> {
  if (!isSecureContext) return undefined;
  const document = await fetch(metadataPath).then(fieldsIn, () => none);
  const { authorization_servers: issuers, kindforge_login: login } = document;
  const issuer: unknown = Array.isArray(issuers) ? issuers[0] : undefined;
  const clientId = fieldsOf(login).client_id;
  return isHttps(issuer) && typeof clientId === 'string' ? { issuer, clientId } : undefined;
}

/** Remembers the address of the page, and goes to the provider. Rejects with a `ProviderError`. */
export async function goToProvider({ issuer, clientId }: Login): Promise<void> {
  const {
    authorization_endpoint: place,
    token_endpoint: tokenEndpoint,
    scopes_supported: scopes,
  } = await discover(issuer);
  if (!isHttps(place) || !isHttps(tokenEndpoint)) throw new ProviderError(`${issuer} names no endpoints to sign in`);
  const [state, nonce, verifier] = [secret(), secret(), secret()];
  const known: readonly unknown[] = Array.isArray(scopes) ? scopes : [];
  const url = new URL(place);
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope: ['openid', ...usefulScopes.filter((scope) => known.includes(scope))].join(' '),
    state,
    nonce,
    code_challenge: base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
    code_challenge_method: 'S256',
  })) {
    url.searchParams.set(name, value);
  }
  const returnTo = location.pathname + location.search;
  pendingLogin.write({ issuer, clientId, tokenEndpoint, state, nonce, verifier, returnTo });
  location.assign(url);
}

/** Takes the provider's answer from the address of the page. Rejects with a `ProviderError`. */
export async function tokensFrom(query: URLSearchParams): Promise<Tokens> {
  const pending = pendingLogin.take();
  if (!pending || query.get('state') !== pending.state) {
    throw new ProviderError('this answer of a provider is not for this tab; sign in again');
  }
  const { issuer, verifier, nonce } = pending;
  // RFC 9207: another provider must not answer in place of this one.
  if ((query.get('iss') ?? issuer) !== issuer) throw new ProviderError(`the answer is not one of ${issuer}`);
  const error = query.get('error');
  if (error !== null)
    throw new ProviderError(`${issuer} did not sign you in: ${query.get('error_description') ?? error}`);
  const grant = { grant_type: 'authorization_code', code: query.get('code') ?? '', redirect_uri: redirectUri() };
  return request(pending, { ...grant, code_verifier: verifier }, (claims) => claims.nonce === nonce);
}

/** Gets new tokens of the same user. Rejects with a `ProviderError` if the provider has ended the session. */
export function renewed(renewal: Renewal): Promise<Tokens> {
  const { refreshToken, subject } = renewal;
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return request(renewal, grant, (claims) => claims.sub === subject, refreshToken);
}

/** Resolves to the tokens for a grant. Checks the claims as section 3.1.3.7 requires for tokens over TLS. */
async function request(
  { issuer, clientId, tokenEndpoint }: Login & Pick<Renewal, 'tokenEndpoint'>,
  grant: Readonly<Record<string, string>>,
  isExpected: (claims: Fields) => boolean,
  lastRefreshToken?: string,
): Promise<Tokens> {
  const body = new URLSearchParams({ ...grant, client_id: clientId });
  const answer = await ask(issuer, tokenEndpoint, { method: 'POST', body });
  const { id_token: idToken, refresh_token: refreshToken = lastRefreshToken } = answer;
  if (typeof idToken !== 'string') {
    const { error = 'gave no ID token', error_description: reason = error } = answer;
    throw new ProviderError(`${issuer}: ${String(reason)}`);
  }
  const claims = claimsOf(idToken);
  const { iss, aud, sub, exp } = claims;
  const isOurs = iss === issuer && [aud].flat().includes(clientId) && Number(exp) * 1000 > Date.now() - leewayMs;
  if (!isOurs || typeof sub !== 'string' || !isExpected(claims)) {
    throw new ProviderError(`${issuer} gave an ID token that is not for this request`);
  }
  const renewal = typeof refreshToken === 'string' ? { refreshToken, subject: sub } : undefined;
  return { idToken, renewal: renewal && { issuer, clientId, tokenEndpoint, ...renewal } };
}

/** How far clocks may differ, milliseconds. */
const leewayMs = 60_000;

async function discover(issuer: string): Promise<Fields> {
  const document = await ask(issuer, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (document.issuer !== issuer) throw new ProviderError(`${issuer} calls itself ${String(document.issuer)}`);
  return document;
}

async function ask(issuer: string, url: string, init: RequestInit = {}): Promise<Fields> {
  const answer = await fetch(url, { ...init, credentials: 'omit', redirect: 'error' }).catch(() => {
    throw new ProviderError(`${issuer} does not answer this page; it must allow the origin ${location.origin} (CORS)`);
  });
  return fieldsIn(answer);
}

const redirectUri = (): string => `${location.origin}/console/`;

const isHttps = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === 'https:';

const secret = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function claimsOf(token: string): Fields {
  try {
    const text = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    return fieldsOf(JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (one) => one.charCodeAt(0)))));
  } catch {
    return none;
  }
}

const none: Fields = {};

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : none);

/** Resolves to the fields of a JSON answer with any code; empty for other answers. */
const fieldsIn = (answer: Response): Promise<Fields> => answer.json().then(fieldsOf, () => none);
