/**
 * A small OpenID provider for trials of `kindforge login`: people log in with any name that they type. Its users are in
 * the groups `everybody` and `<name>-team`.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface ProviderOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** PEM of the certificate and its key. */
  readonly cert: string;
  readonly key: string;
  /** How long ID tokens are valid, seconds. Default: 300. */
  readonly idTokenSeconds?: number;
  /** Further claims of a user. They replace claims with the same names. */
  readonly claims?: (user: string) => Readonly<Record<string, unknown>>;
  /** Answers a request in place of the provider, by its path. */
  readonly instead?: (path: string, parameters: URLSearchParams) => Answer | undefined;
}

export interface Answer {
  readonly status?: number;
  readonly location?: string;
  /** The provider sends an object as JSON, and a text as a page. */
  readonly body?: object | string;
}

export interface RunningProvider {
  readonly url: string;
  close(): Promise<void>;
}

/** The login behind a code or a refresh token. */
interface Login {
  readonly user: string;
  readonly client: string;
  readonly nonce?: string | undefined;
  readonly challenge?: string | undefined;
  readonly redirect?: string | undefined;
}

/** A device that waits for somebody to enter its code. */
interface Device {
  readonly client: string;
  user?: string;
  isDenied?: boolean;
}

/** Made once, because it takes a while. */
const keys = generateKeyPair('RS256');

export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const { privateKey, publicKey } = await keys;
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const logins = new Map<string, Login>();
  const devices = new Map<string, Device>();
  const refused = (error: string): Answer => ({ status: 400, body: { error } });

  const discovery = (): Answer => ({
    body: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      device_authorization_endpoint: `${url}/device_authorization`,
      jwks_uri: `${url}/keys`,
      scopes_supported: ['openid', 'email', 'groups', 'offline_access'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    },
  });

  /** Sends the browser back with a code, or shows a form if the request does not name the user. */
  const authorize = (asked: URLSearchParams): Answer => {
    const user = asked.get('login_hint');
    if (!user) return { body: form(asked, 'login_hint', 'Log in as') };
    const back = new URL(asked.get('redirect_uri') ?? '');
    // Only clients on the same machine can log in here (RFC 8252 section 7.3).
    if (!['127.0.0.1', 'localhost'].includes(back.hostname)) return refused('invalid_request');
    const code = keep({
      user,
      client: asked.get('client_id') ?? '',
      nonce: asked.get('nonce') ?? undefined,
      challenge: asked.get('code_challenge') ?? undefined,
      redirect: back.href,
    });
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return { status: 302, location: back.href };
  };

  const keep = (login: Login): string => {
    const code = randomUUID();
    logins.set(code, login);
    return code;
  };

  /** Exchanges a code or a refresh token. Both can be used only once. */
  const take = (code: string | null): Login | undefined => {
    const login = logins.get(code ?? '');
    logins.delete(code ?? '');
    return login;
  };

  const token = async (asked: URLSearchParams): Promise<Answer> => {
    switch (asked.get('grant_type')) {
      case 'authorization_code': {
        const login = take(asked.get('code'));
        const challenge = createHash('sha256')
          .update(asked.get('code_verifier') ?? '')
          .digest('base64url');
        const isSame = login?.challenge === challenge && login.redirect === asked.get('redirect_uri');
        return login && isSame ? issue(login) : refused('invalid_grant');
      }
      case 'refresh_token': {
        const login = take(asked.get('refresh_token'));
        return login ? issue(login) : refused('invalid_grant');
      }
      case 'urn:ietf:params:oauth:grant-type:device_code': {
        const device = devices.get(asked.get('device_code') ?? '');
        if (!device) return refused('expired_token');
        if (device.isDenied) return refused('access_denied');
        return device.user === undefined
          ? refused('authorization_pending')
          : issue({ user: device.user, client: device.client });
      }
      default:
        return refused('unsupported_grant_type');
    }
  };

  const issue = async ({ user, client, nonce }: Login): Promise<Answer> => {
    const claims = {
      groups: ['everybody', `${user}-team`],
      email: `${user}@example.com`,
      email_verified: true,
      ...(nonce === undefined ? {} : { nonce }),
    };
    const now = Math.floor(Date.now() / 1000);
    const idToken = new SignJWT({
      ...{ iss: url, aud: client, sub: user, iat: now, exp: now + (options.idTokenSeconds ?? 300) },
      ...{ ...claims, ...options.claims?.(user) },
    });
    return {
      body: {
        access_token: randomUUID(),
        token_type: 'Bearer',
        id_token: await idToken.setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey),
        refresh_token: keep({ user, client }),
      },
    };
  };

  const startDevice = (asked: URLSearchParams): Answer => {
    const [code, shown] = [randomUUID(), randomUUID().slice(0, 8).toUpperCase()];
    const device: Device = { client: asked.get('client_id') ?? '' };
    devices.set(code, device).set(shown, device);
    return {
      body: {
        device_code: code,
        user_code: shown,
        verification_uri: `${url}/device`,
        verification_uri_complete: `${url}/device?user_code=${shown}`,
        expires_in: 300,
        interval: 1,
      },
    };
  };

  const enterCode = (asked: URLSearchParams): Answer => {
    const device = devices.get(asked.get('user_code') ?? '');
    if (!device) return { body: form(asked, 'user_code', 'Code') };
    const user = asked.get('login_hint');
    if (!user) return { body: form(asked, 'login_hint', 'Log in as (nobody: refuse)') };
    if (user === 'nobody') device.isDenied = true;
    else device.user = user;
    return { body: '<p>Done. You can close this tab.' };
  };

  const answer = (path: string, asked: URLSearchParams): Answer | Promise<Answer> => {
    const routes: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
      '/.well-known/openid-configuration': discovery,
      '/keys': () => ({ body: { keys: [jwk] } }),
      '/authorize': () => authorize(asked),
      '/token': () => token(asked),
      '/device_authorization': () => startDevice(asked),
      '/device': () => enterCode(asked),
    };
    return options.instead?.(path, asked) ?? routes[path]?.() ?? { status: 404, body: 'not found' };
  };

  const server = createServer({ cert: options.cert, key: options.key }, async (request, response) => {
    const place = new URL(request.url ?? '/', 'https://127.0.0.1');
    const asked = new URLSearchParams([...place.searchParams, ...new URLSearchParams(await text(request))]);
    const { status = 200, location, body = '' } = await answer(place.pathname, asked);
    const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
    response.writeHead(status, {
      'content-type': type,
      // Pages of any origin may get tokens, as the console does.
      'access-control-allow-origin': '*',
      ...(location === undefined ? {} : { location }),
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Prints a form that repeats the parameters, with one more field. */
function form(asked: URLSearchParams, name: string, label: string): string {
  const escaped = (value: string): string =>
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const hidden = [...asked].filter(([known]) => known !== name);
  const inputs = hidden.map(
    ([known, value]) => `<input type="hidden" name="${escaped(known)}" value="${escaped(value)}">`,
  );
  return `<!doctype html><title>Log in</title><form>${inputs.join('')}<label>${label} <input name="${name}" autofocus></label> <button>Go on</button></form>`;
}
