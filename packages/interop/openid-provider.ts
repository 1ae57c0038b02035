/** An identity provider: `oidc-provider` over TLS. Everyone logs in with any name. */
import { createServer } from 'node:https';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { Agent, fetch } from 'undici';
import { makeServerCertificate } from '../../test/support/certificates.js';
import { listenLocally } from '../../test/support/local-server.js';

export interface OpenIdProvider {
  readonly url: string;
  /** Its authority in PEM. */
  readonly ca: string;
  /** Logs in with the code flow, and resolves to the ID token for the client `kindforge`. */
  login(user: string): Promise<string>;
  /** Logs in, and resolves to a refresh token, too. It can be used only once. */
  loginForLong(user: string): Promise<LongLogin>;
  /**
   * Opens an address as a browser does: follows redirects, and submits forms. Resolves to the text of the last page.
   */
  browse(url: string): Promise<string>;
  close(): Promise<void>;
}

export interface LongLogin {
  readonly idToken: string;
  readonly refreshToken: string;
}

/** The client that logs in. */
export const client = { id: 'kindforge', secret: 'a-secret-of-the-client', redirect: 'https://app.example.com/back' };

/** The public client of `kindforge login`: the browser may return to any port of the machine. */
export const cli = { id: 'kindforge-cli', redirect: 'http://127.0.0.1/callback' };

/** A user with tokens that expire after a second. Tokens of other users last an hour. */
export const shortLived = 'brief';

/** Starts a provider on a free port. Groups of a user are `<user>-team` and `all`. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const certificate = await makeServerCertificate();
  const server = createServer(certificate);
  const port = await listenLocally(server);
  const url = `https://127.0.0.1:${port}`;
  const provider = await define(url);
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    const details = await provider.interactionDetails(request, response);
    const login = { accountId: String(details.params.login_hint) };
    // Public clients ask for consent each time, because anybody can pretend to be one.
    const done = details.prompt.name === 'consent' ? { consent: {} } : { login };
    await provider.interactionFinished(request, response, done);
  });
  const dispatcher = new Agent({ connect: { ca: certificate.cert } });
  return {
    url,
    ca: certificate.cert,
    login: async (user) => (await login(url, user, dispatcher)).idToken,
    loginForLong: (user) => login(url, user, dispatcher),
    browse: (place) => browse(place, dispatcher),
    async close() {
      await dispatcher.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function define(url: string): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider: Provider = new Provider(url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirect],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        client_id: cli.id,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [cli.redirect],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
    ],
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'one' }] },
    cookies: { keys: ['a-key-of-cookies'] },
    claims: { openid: ['sub', 'groups', 'email', 'email_verified'] },
    conformIdTokenClaims: false,
    ttl: { IdToken: ({ oidc }) => (oidc.account?.accountId === shortLived ? 1 : 3600) },
    pkce: { required: (_, { clientId }) => clientId === cli.id },
    features: { devInteractions: { enabled: false }, deviceFlow: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        groups: [`${accountId}-team`, 'all'],
        email: `${accountId}@example.com`,
        email_verified: accountId !== 'mallory',
      }),
    }),
    async loadExistingGrant({ oidc }) {
      const clientId = oidc.client?.clientId ?? '';
      const grant = new provider.Grant({ accountId: oidc.session?.accountId ?? '', clientId });
      grant.addOIDCScope('openid offline_access');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

/** Acts as a browser until the address with the code, and exchanges the code for the tokens. */
async function login(url: string, user: string, dispatcher: Agent): Promise<LongLogin> {
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: client.redirect,
    login_hint: user,
  });
  const visit = visitor(dispatcher);
  let place = `${url}/auth?${query}`;
  while (!place.startsWith(client.redirect)) {
    const { next, status, text } = await visit(place);
    if (next === undefined) throw new Error(`${place} answers with ${status} ${text}`);
    place = next;
  }
  const code = new URL(place).searchParams.get('code') ?? '';
  const answer = await fetch(`${url}/token`, {
    dispatcher,
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: client.redirect }),
  });
  const tokens: unknown = await answer.json();
  if (isLogin(tokens)) return { idToken: tokens.id_token, refreshToken: tokens.refresh_token };
  throw new Error(JSON.stringify(tokens));
}

const isLogin = (value: unknown): value is { readonly id_token: string; readonly refresh_token: string } =>
  typeof value === 'object' && value !== null && 'id_token' in value && 'refresh_token' in value;

interface Visited {
  /** The address of a redirect; absent for other answers. */
  readonly next: string | undefined;
  readonly status: number;
  readonly text: string;
}

/** Makes a browser. It keeps cookies, and posts `form`. */
function visitor(dispatcher: Agent): (place: string, form?: URLSearchParams) => Promise<Visited> {
  const cookies = new Map<string, string>();
  return async (place, form) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(place, {
      ...{ dispatcher, redirect: 'manual', headers: { cookie } },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    return {
      next: next === null ? undefined : new URL(next, place).href,
      status: answer.status,
      text: await answer.text(),
    };
  };
}

async function browse(url: string, dispatcher: Agent): Promise<string> {
  const visit = visitor(dispatcher);
  let place = url;
  let form: URLSearchParams | undefined;
  for (let visits = 0; visits < 20; visits++) {
    const { next, text } = await visit(place, form);
    form = undefined;
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
    if (next !== undefined) place = next;
    else if (action === undefined) return text;
    else {
      const hidden = [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]);
      form = new URLSearchParams(hidden);
      // The page asks whether the device shows this code.
      if (!form.has('user_code') || text.includes('name="confirm"')) form.set('confirm', 'yes');
      place = new URL(action, place).href;
    }
  }
  throw new Error(`${url} leads on and on, to ${place}`);
}
