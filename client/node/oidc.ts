/** Credentials of an OpenID provider: an ID token, and others for its refresh token when it ends. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeJwt } from 'jose';
import type { OidcPlugin } from '../kubeconfig/plugins.js';
import { bearer, type Identity, type IdentitySource } from './identity.js';
import { type Renewable, renewedIdentity } from './renewed.js';

/** The tokens of a login. */
export interface OidcTokens {
  readonly idToken?: string;
  readonly refreshToken?: string;
}

/** Where the tokens are kept from one process to the next. */
export interface TokenStore {
  /** Those that are kept now: another process may have renewed them. */
  read(): OidcTokens;
  write(tokens: OidcTokens): void;
}

/** A token that ends within this time may have ended when it arrives. */
const leewayMs = 10_000;

/** The ID token while it counts; then the one of the store, if that does; then a new one, which the store keeps. */
export function oidcIdentity(plugin: OidcPlugin, folder: string, store: TokenStore): IdentitySource {
  let tokens: OidcTokens = plugin;
  return renewedIdentity(async (refused) => {
    for (const known of [tokens, { ...tokens, ...store.read() }]) {
      tokens = known;
      const renewable = toRenewable(known.idToken);
      if (renewable && !isSame(renewable.identity, refused)) return renewable;
    }
    const renewed = await refresh(plugin, folder, tokens.refreshToken);
    tokens = { ...tokens, ...renewed };
    store.write(tokens);
    return toRenewable(tokens.idToken) ?? fail(plugin, 'gave an ID token that has ended');
  });
}

const isSame = (identity: Identity, refused: Identity | undefined): boolean =>
  identity.headers.authorization === refused?.headers.authorization;

/** `undefined` where the token has ended, or is none. */
function toRenewable(idToken: string | undefined): Renewable | undefined {
  if (idToken === undefined) return undefined;
  const ends = endOf(idToken) - leewayMs;
  return ends > Date.now() ? { identity: { headers: bearer(idToken) }, ends } : undefined;
}

function endOf(idToken: string): number {
  try {
    return (decodeJwt(idToken).exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

async function refresh(plugin: OidcPlugin, folder: string, refreshToken: string | undefined): Promise<OidcTokens> {
  if (refreshToken === undefined)
    return fail(plugin, 'has to be asked for a new ID token, and there is no refresh-token');
  // Loaded where it is used: few clients sign in this way.
  const [oauth, { Agent, fetch: undiciFetch }] = await Promise.all([import('oauth4webapi'), import('undici')]);
  const { issuer, clientId, clientSecret } = plugin;
  const dispatcher = new Agent({ connect: { ...authorityOf(plugin, folder) } });
  const send: unknown = (url: string, init: object) => undiciFetch(url, { ...init, dispatcher });
  const options = { [oauth.customFetch]: isFetch(send) ? send : fetch };
  try {
    const url = new URL(issuer);
    const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options));
    const client = { client_id: clientId };
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const proof =
      clientSecret === undefined
        ? oauth.None()
        : methods.includes('client_secret_basic')
          ? oauth.ClientSecretBasic(clientSecret)
          : oauth.ClientSecretPost(clientSecret);
    const answer = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, options);
    const { id_token, refresh_token } = await oauth.processRefreshTokenResponse(server, client, answer);
    if (id_token === undefined) return fail(plugin, 'gave no ID token for the refresh token');
    return { idToken: id_token, ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }) };
  } catch (error) {
    return fail(plugin, `gives no new ID token: ${reasonOf(error)}`, error);
  } finally {
    await dispatcher.close();
  }
}

function authorityOf({ ca, caFile }: OidcPlugin, folder: string): { readonly ca?: string } {
  if (ca !== undefined) return { ca };
  return caFile === undefined ? {} : { ca: readFileSync(resolve(folder, caFile), 'utf8') };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('error_description' in error && error.error_description) return String(error.error_description);
  if ('error' in error && typeof error.error === 'string') return error.error;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function fail({ issuer, user }: OidcPlugin, what: string, cause?: unknown): never {
  throw new Error(`${issuer}, the provider of user ${JSON.stringify(user)}, ${what}`, { cause });
}

/** undici's fetch is the global one but for the identity of its types. */
const isFetch = (value: unknown): value is typeof fetch => typeof value === 'function';
