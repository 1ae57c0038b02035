/** Logs in with a browser: authorization code with PKCE (RFC 7636) and a loopback redirect (RFC 8252 section 7.3). */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TokenEndpointResponse } from 'oauth4webapi';
import type { OpenProvider } from '../../client/node/openid.js';
import { Refusal, WrongFlag } from '../objects/failure.js';
import { explainProvider } from './explain.js';
import type { LoginPeople, LoginSettings } from './settings.js';

interface CodeSettings extends LoginSettings {
  readonly scope: string;
}

const path = '/callback';

/** Sends people to the provider, and waits until the browser comes back. Rejects if that takes too long. */
export async function signInByCode(
  provider: OpenProvider,
  settings: CodeSettings,
  people: LoginPeople,
): Promise<TokenEndpointResponse> {
  const { oauth, server, client, proof, options } = provider;
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const listener = createServer();
  const port = await listen(listener, settings.listenPort);
  try {
    const redirect = `http://${settings.redirectHost}:${port}${path}`;
    const url = authorizationUrl(provider, settings, { redirect, state, nonce, challenge });
    people.tell(settings.browser ? `Opening ${url}` : `Open this address in a browser on this machine: ${url}`);
    if (settings.browser) people.openBrowser(url);
    return await comeBack(listener, state, settings, people, async (parameters) => {
      const checked = oauth.validateAuthResponse(server, client, parameters, state);
      const answer = await oauth.authorizationCodeGrantRequest(
        ...([server, client, proof, checked, redirect, verifier, options] as const),
      );
      return oauth.processAuthorizationCodeResponse(server, client, answer, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
    });
  } finally {
    listener.close();
    listener.closeIdleConnections();
  }
}

function authorizationUrl(
  { server, client }: OpenProvider,
  { issuer, scope, parameters }: CodeSettings,
  { redirect, state, nonce, challenge }: Readonly<Record<'redirect' | 'state' | 'nonce' | 'challenge', string>>,
): string {
  if (server.authorization_endpoint === undefined) {
    throw new Refusal(
      `the provider ${issuer} has no authorization_endpoint, so nobody can log in there by a browser`,
      'Try --device-code, or check --oidc-issuer-url',
    );
  }
  const url = new URL(server.authorization_endpoint);
  const query = {
    ...parameters,
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirect,
    scope,
    ...{ state, nonce, code_challenge: challenge, code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new WrongFlag(
          `--listen-port ${port}: ${error.message}`,
          'Stop the program that uses the port, or register another port at the provider and give it with --listen-port',
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => resolve(portOf(server.address())));
  });
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address ? address.port : 0;

/**
 * Waits for the browser. Ignores an answer with another state: it belongs to another login, or comes from another site.
 */
function comeBack<T>(
  listener: Server,
  state: string,
  settings: CodeSettings,
  { tell }: LoginPeople,
  exchange: (parameters: URLSearchParams) => Promise<T>,
): Promise<T> {
  let isStrange = false;
  let hasCome = false;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(nobodyCame(settings, isStrange)), settings.timeoutMs);
    listener.on('request', async ({ url = '', method }, response) => {
      const place = new URL(url, 'http://127.0.0.1');
      if (place.pathname !== path || method !== 'GET') return answerPage(response, 404, 'Nothing is here.');
      if (place.searchParams.get('state') !== state || hasCome) {
        isStrange = true;
        tell('kindforge: an answer of another login came (its state is not the one that was sent); still waiting');
        const text =
          'This answer belongs to another login. Close this tab, and open the address that kindforge login printed last.';
        return answerPage(response, 400, text);
      }
      hasCome = true;
      clearTimeout(timer);
      try {
        const result = await exchange(place.searchParams);
        answerPage(response, 200, 'You are logged in. You can close this tab.');
        resolve(result);
      } catch (error) {
        const explained = explainProvider(error, settings);
        answerPage(response, 400, `You are not logged in: ${explained.message}`);
        reject(explained);
      }
    });
  });
}

function nobodyCame({ timeoutMs }: CodeSettings, isStrange: boolean): Refusal {
  const also = isStrange ? '; only an answer of another login came (its state is not the one that was sent)' : '';
  return new Refusal(
    `nobody logged in within ${timeoutMs / 1000} s${also}`,
    'Run kindforge login again; --timeout 10m waits longer',
    'If the browser is on another machine: --device-code',
    'If the provider shows an error about the redirect URI: register http://127.0.0.1/callback, or fix the port with --listen-port',
  );
}

function answerPage(response: ServerResponse, status: number, text: string): void {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(
    `<!doctype html><title>Kindforge</title><body style="font: 1.2rem system-ui; margin: 4rem auto; max-width: 40rem"><p>${shown}</p>\n`,
  );
}
