/** A transport whose watches go over WebSocket, of which browsers open many more to a server than of other connections. */
import { isWatch } from './connection/is-watch.js';
import { onAbort } from './connection/on-abort.js';
import { ConnectionError } from './errors.js';
import { withoutSlashes } from './slashes.js';
import {
  type FetchTransportOptions,
  fetchTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

/** The part of the WebSocket interface that is used here. */
interface Socket {
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
  close(): void;
}

interface SocketEvent {
  readonly type: string;
  /** Of messages. */
  readonly data?: unknown;
  /** Of the end. */
  readonly code?: number;
}

/** Options of the transport. */
export interface WebSocketTransportOptions extends FetchTransportOptions {
  /** Sent as a bearer token with all requests. */
  readonly token?: string;
  /** The names that the server goes by; those of the definitions where not given. */
  readonly naming?: 'platform' | 'kubernetes';
  /** The WebSocket to use; the global one where not given. */
  readonly WebSocket?: new (
    url: string,
    protocols: string[],
  ) => Socket;
}

/**
 * A transport over fetch but for watches. Where a WebSocket cannot be had, the watch is sent as the others are: it then
 * goes over HTTP, or its answer says why not. Of `headers`, WebSockets send none. Throws a TypeError where there is no
 * WebSocket, or the address is none.
 */
export function webSocketTransport(options: WebSocketTransportOptions): Transport {
  const { token, headers, naming = 'platform', WebSocket = globalThis.WebSocket } = options;
  if (!WebSocket) throw new TypeError('there is no WebSocket here; hand one over, such as that of undici');
  const credentials = token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers };
  const others = fetchTransport({ ...options, ...(credentials ? { headers: credentials } : {}) });
  const protocols = protocolsOf(token, naming);
  return {
    async send(request) {
      if (!isWatch(request)) return others.send(request);
      request.signal?.throwIfAborted();
      const received = new Received(new WebSocket(urlOf(options.baseUrl, request), protocols), request.signal);
      return (await received.opened) ? received.response : others.send(request);
    },
  };
}

/** The scheme becomes that of WebSockets; an address without one is the page's server. */
function urlOf(baseUrl: string, { path }: TransportRequest): string {
  const base = baseUrl.startsWith('/') ? globalThis.location.origin + baseUrl : baseUrl;
  return withoutSlashes(base.replace(/^http/, 'ws')) + path;
}

/** The token as a subprotocol, and one that the server can agree to in its place. */
function protocolsOf(token: string | undefined, naming: 'platform' | 'kubernetes'): string[] {
  if (token === undefined) return [];
  const group = naming === 'kubernetes' ? 'authorization.k8s.io' : 'authorization.platform.io';
  const bytes = String.fromCharCode(...new TextEncoder().encode(token));
  const sealed = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return [`base64url.bearer.${group}.${sealed}`, 'binary.k8s.io'];
}

/** Codes of an end in order, RFC 6455 section 7.4.1: the watch is over, or the server is. */
const inOrder: readonly (number | undefined)[] = [1000, 1001];

/** The messages of a WebSocket. Those that nobody has asked for yet are kept. */
class Received {
  /** Whether the WebSocket could be had. */
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
    // The close event that follows says what went wrong.
    socket.addEventListener('error', () => {});
    socket.addEventListener('message', ({ data }) => {
      this.#messages.push(String(data));
      this.#wake();
    });
  }

  /** Messages are lines, as of a watch over HTTP. */
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
