/** A signed-in user, with the client of all pages. */
import {
  type DynamicApi,
  type DynamicClientOptions,
  dynamicClient,
  type Impersonation,
  openTransport,
  type Transport,
  webSocketTransport,
} from 'kindforge/client';
import { Rights } from './rights.js';

/** How the user authenticates: with a bearer token, or without one (client certificate, anonymous). */
export interface Credentials {
  readonly token?: string;
  readonly impersonate?: Impersonation;
}

/** Resolves to another token after the server has refused one, or to the same token if there is no other. */
export type AskForToken = (session: Session, refused: string) => Promise<string>;

export class Session {
  /** For functions of the SDK that take options, such as `createResourceClient`. */
  readonly options: DynamicClientOptions;
  readonly client: DynamicApi;
  /** For requests without a function in the SDK. They wait for another token, like all others. */
  readonly transport: Transport;
  readonly rights: Rights;
  #credentials: Credentials;

  /** After a 401, requests wait for `askForToken`, and are sent again with its token. */
  constructor(credentials: Credentials, askForToken: AskForToken = (_, refused) => Promise.resolve(refused)) {
    this.#credentials = credentials;
    const token = (refused?: string): string | undefined | Promise<string> => {
      const current = this.#credentials.token;
      return refused !== undefined && refused === current ? askForToken(this, refused) : current;
    };
    const options: DynamicClientOptions = {
      baseUrl: location.origin,
      ...(credentials.token === undefined ? {} : { token }),
      ...(credentials.impersonate === undefined ? {} : { impersonate: credentials.impersonate }),
    };
    // WebSockets cannot impersonate.
    const isCrowded = location.protocol === 'http:' && 'WebSocket' in globalThis && !credentials.impersonate;
    this.options = isCrowded ? { ...options, transport: this.#watchingByWebSocket(options) } : options;
    this.client = dynamicClient(this.options);
    this.transport = openTransport(this.options);
    this.rights = new Rights(this.client);
  }

  /**
   * Sends watches over WebSocket to a Kindforge server. It accepts the `accept` header in the query. Over HTTP/1.1, a
   * browser has six connections to a server for all tabs together, and a page has up to three watches.
   */
  #watchingByWebSocket({ baseUrl = '', token }: DynamicClientOptions): Transport {
    const options = { baseUrl, ...(token === undefined ? {} : { token }) };
    const plain = openTransport({ ...options, retry: { retries: 0, brokenReads: 0 } });
    const open = async (): Promise<Transport> => {
      if (!(await this.client.text('/version')).includes('+kindforge')) return plain;
      const { group } = await this.client.kind('selfsubjectaccessreviews');
      return webSocketTransport({ ...options, naming: group.endsWith('.k8s.io') ? 'kubernetes' : 'platform' });
    };
    let watching: Promise<Transport> | undefined;
    return {
      async send(request) {
        if (!request.path.includes('watch=true')) return plain.send(request);
        watching ??= open().catch(() => plain);
        const { accept = '' } = request.headers;
        const query = new URLSearchParams({ accept: String(accept) });
        return (await watching).send({ ...request, path: `${request.path}&${query}` });
      },
    };
  }

  get credentials(): Credentials {
    return this.#credentials;
  }

  /** Continues with another token of the same user. */
  renew(token: string): void {
    this.#credentials = { ...this.#credentials, token };
  }
}
