/** Connects to an OpenID provider: finds its endpoints (OpenID Connect Discovery 1.0), and proves who the client is. */
import type { AuthorizationServer, Client, ClientAuth, customFetch } from 'oauth4webapi';
import { proxyFor } from './session.js';

/** A provider, and the client that is registered there. */
export interface ProviderSettings {
  /** HTTPS URL of the provider. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for public clients, which have none. */
  readonly clientSecret?: string;
  /** PEM of the authorities that may sign the provider's certificate. Default: Node's own. */
  readonly ca?: string;
}

/** The parts that each request of `oauth4webapi` takes. */
export interface OpenProvider {
  readonly oauth: typeof import('oauth4webapi');
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly proof: ClientAuth;
  readonly options: { readonly [customFetch]: typeof fetch; readonly signal: () => AbortSignal };
}

/** How long one request may take, milliseconds. */
const requestMs = 30_000;

/**
 * Calls `use` with a provider, and closes its connections afterwards. Rejects if the provider cannot be reached or its
 * discovery document is not valid. Uses the proxy of the environment.
 */
export async function withProvider<T>(
  { issuer, clientId, clientSecret, ca }: ProviderSettings,
  use: (provider: OpenProvider) => Promise<T>,
): Promise<T> {
  // Loaded on first use, because few clients sign in this way.
  const [oauth, { fetch: undiciFetch }, { openDispatcher }] = await Promise.all([
    import('oauth4webapi'),
    import('undici'),
    import('./dispatcher.js'),
  ]);
  const url = new URL(issuer);
  const dispatcher = openDispatcher(url, { insecure: false, ...(ca === undefined ? {} : { ca }) }, {}, proxyFor(url));
  const send: unknown = (to: string, init: object) => undiciFetch(to, { ...init, dispatcher });
  const options = {
    [oauth.customFetch]: isFetch(send) ? send : fetch,
    signal: () => AbortSignal.timeout(requestMs),
  };
  try {
    const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options));
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const proof =
      clientSecret === undefined
        ? oauth.None()
        : methods.includes('client_secret_basic')
          ? oauth.ClientSecretBasic(clientSecret)
          : oauth.ClientSecretPost(clientSecret);
    return await use({ oauth, server, client: { client_id: clientId }, proof, options });
  } finally {
    // Nobody reads answers with an unexpected status to their end, and `close` would wait for that.
    await dispatcher.destroy();
  }
}

/** Treats undici's fetch as the global one: only the identity of their types differs. */
const isFetch = (value: unknown): value is typeof fetch => typeof value === 'function';
