/**
 * A transport that sends watches over WebSocket. Browsers open many more WebSockets to a server than other connections.
 */
import { bearing, type TokenSource } from './connection/bearer.js';
import { isWatch } from './connection/is-watch.js';
import { onAbort } from './connection/on-abort.js';
import { untilAborted } from './connection/until-aborted.js';
import { ConnectionError } from './errors.js';
import { withoutSlashes } from './slashes.js';
import {
  type FetchTransportOptions,
  fetchTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

/** The used part of the WebSocket interface. */
interface Socket {
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
  close(): void;
}

interface SocketEvent {
  readonly type: string;
  /** The text of a message. */
  readonly data?: unknown;
  /** The code of the close event. */
  readonly code?: number;
}

/** How watches and sessions over WebSocket authenticate and connect. */
export interface WebSocketTransportOptions extends FetchTransportOptions {
  /** Sent as a bearer token with all requests. A function is called before each of them. */
  readonly token?: string | TokenSource;
  /** The names that the server uses. Default: the names in the definitions. */
  readonly naming?: 'platform' | 'kubernetes';
  /** Default: the global WebSocket. */
  readonly WebSocket?: new (
    url: string,
    protocols: string[],
  ) => Socket;
}

/**
 * Makes a transport over fetch with watches over WebSocket. If a WebSocket cannot be opened, sends the watch over HTTP,
 * so that a refusal has a reason. Does not send `headers` with WebSockets. Throws a TypeError without a WebSocket
 * class, or if the address is not valid.
 */
export function webSocketTransport(options: WebSocketTransportOptions): Transport {
  const { token, naming = 'platform', WebSocket = globalThis.WebSocket } = options;
  if (!WebSocket) throw new TypeError("WebSocket is not available: pass the option WebSocket, such as undici's");
  const tokenOf = typeof token === 'function' ? token : () => token;
  const others = bearing(fetchTransport(options), tokenOf);
  return {
    async send(request) {
      if (!isWatch(request)) return others.send(request);
      request.signal?.throwIfAborted();
      const protocols = protocolsOf(await untilAborted(Promise.resolve(tokenOf()), request.signal), naming);
      const received = new Received(new WebSocket(urlOf(options.baseUrl, request), protocols), request.signal);
      return (await received.opened) ? received.response : others.send(request);
    },
  };
}

/** Returns the URL with the scheme of WebSockets. An address without a scheme is on the page's server. */
function urlOf(baseUrl: string, { path }: TransportRequest): string {
  const base = baseUrl.startsWith('/') ? globalThis.location.origin + baseUrl : baseUrl;
  return withoutSlashes(base.replace(/^http/, 'ws')) + path;
}

/** Returns the subprotocols of a request: one with the token, and one that the server can accept. */
function protocolsOf(token: string | undefined, naming: 'platform' | 'kubernetes'): string[] {
  if (token === undefined) return [];
  const group = naming === 'kubernetes' ? 'authorization.k8s.io' : 'authorization.platform.io';
  const bytes = String.fromCharCode(...new TextEncoder().encode(token));
  const sealed = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return [`base64url.bearer.${group}.${sealed}`, 'binary.k8s.io'];
}

/** Normal close codes (RFC 6455 section 7.4.1): the watch is over, or the server stops. */
const inOrder: readonly (number | undefined)[] = [1000, 1001];

/** The messages of a WebSocket. Keeps messages until they are read. */
class Received {
  /** Whether the WebSocket could be opened. */
  readonly opened: Promise<boolean>;
  readonly #socket: Socket;
  readonly #signal: AbortSignal | undefined;
  readonly #messages: string[] = [];
  #end: { readonly code: number | undefined } | undefined;
  #wake = (): void => {};

  constructor(socket: Socket, signal: AbortSignal | undefined) {
    this.#socket = socket;
    this.#signal = signal;
    const unfollow = onAbort(signal, () => socket.close());
    this.opened = new Promise((resolve) => {
      socket.addEventListener('open', () => resolve(true));
      socket.addEventListener('close', ({ code }) => {
        unfollow();
        this.#end = { code };
        resolve(false);
        this.#wake();
      });
    });
    // The close event that follows has the reason.
    socket.addEventListener('error', () => {});
    socket.addEventListener('message', ({ data }) => {
      this.#messages.push(String(data));
      this.#wake();
    });
  }

  /** Messages are lines, as in a watch over HTTP. */
  get response(): TransportResponse {
    return {
      status: 200,
      header: () => '',
      text: async () => {
        let text = '';
        for await (const message of this.#read()) text += message;
        return text;
      },
      chunks: () => this.#chunks(),
    };
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    for await (const message of this.#read()) yield encoder.encode(message);
  }

  async *#read(): AsyncGenerator<string> {
    try {
      for (;;) {
        this.#signal?.throwIfAborted();
        const message = this.#messages.shift();
        if (message !== undefined) yield message;
        else if (!this.#end) await new Promise<void>((resolve) => (this.#wake = resolve));
        else if (inOrder.includes(this.#end.code)) return;
        else throw new ConnectionError('a watch broke off', `the WebSocket ended with code ${this.#end.code}`);
      }
    } finally {
      this.#socket.close();
    }
  }
}
