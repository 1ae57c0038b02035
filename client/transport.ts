/** Sends requests to a server. This file uses fetch; other transports work in process or over anything else. */

import { headerBytes } from './connection/header-bytes.js';
import { ConnectionError } from './errors.js';
import { withoutSlashes } from './slashes.js';

/** A request in the form that every transport sends. */
export interface TransportRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Names are in lower case. A header with several values is sent once for each. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** How long the request may take, in milliseconds, with its retries and until its answer has been read. */
  readonly timeoutMs?: number;
}

/** One answer. Its body is read once: whole, or in chunks. */
export interface TransportResponse {
  readonly status: number;
  /** Returns a header's value; empty if it is absent. Names are in lower case. */
  header(name: string): string;
  /** Reads the whole body. Rejects when the connection breaks. */
  text(): Promise<string>;
  /** Yields the body as it arrives. Rejects when the connection breaks. */
  chunks(): AsyncIterable<Uint8Array>;
}

/**
 * Sends requests. Rejects with a `ConnectionError` without an answer, and with the signal's reason if it is aborted.
 */
export interface Transport {
  /** Resolves when the answer starts. */
  send(request: TransportRequest): Promise<TransportResponse>;
}

/** The address that fetch sends requests to, and the headers. */
export interface FetchTransportOptions {
  /** As in `http://127.0.0.1:8080`. Its path precedes the path of every request. */
  readonly baseUrl: string;
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global fetch. */
  readonly fetch?: typeof fetch;
}

/** Makes a transport over fetch, for browsers and Node. Throws a TypeError if the address is not valid. */
export function fetchTransport(options: FetchTransportOptions): Transport {
  const base = checkedBase(options.baseUrl);
  const send = options.fetch ?? fetch;
  return {
    async send({ method, path, headers, body, signal }) {
      const answer = send(base + path, {
        method,
        headers: { ...options.headers, ...singleValues(headers) },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      const broken = (what: string) => (error: unknown) => {
        throw signal?.aborted ? signal.reason : new ConnectionError(`${what} ${base || 'the server'}`, error);
      };
      const response = await answer.catch((error: unknown) => broken('no answer from')(withHint(error, base)));
      const breaksOff = broken('an answer broke off from');
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? '',
        text: () => response.text().catch(breaksOff),
        chunks: () => readChunks(response, breaksOff),
      };
    },
  };
}

/**
 * Adds to a browser's error what the browser hides from pages: the server may have answered, but not allowed this
 * origin to read the answer (CORS).
 */
function withHint(error: unknown, base: string): unknown {
  const { location } = globalThis as { readonly location?: { readonly origin?: unknown } };
  const origin = location?.origin;
  if (!(error instanceof TypeError) || typeof origin !== 'string') return error;
  if (!URL.canParse(base) || new URL(base).origin === origin) return error;
  const flag = `--cors-allowed-origins '^${origin.replaceAll('.', '\\.')}$'`;
  const hint = `the server is not there, or does not let pages of ${origin} read its answers (CORS); start it with ${flag}`;
  return new TypeError(`${error.message}; ${hint}`, { cause: error.cause });
}

/** Refuses headers with several values: a fetch joins them with commas, and the server would read them as one value. */
function singleValues(headers: TransportRequest['headers']): Record<string, string> {
  const single = Object.entries(headers).map(([name, value]): [string, string] => {
    const [one = '', ...others] = typeof value === 'string' ? [value] : value;
    if (others.length === 0) return [name, headerBytes(one)];
    throw new TypeError(`a fetch cannot send ${name} with several values; take a transport of kindforge/client/node`);
  });
  return Object.fromEntries(single);
}

/**
 * Returns the address without slashes at its end. In a browser, an address that starts with a slash is on the page's
 * server.
 */
function checkedBase(baseUrl: string): string {
  const isAddress = baseUrl.startsWith('/') ? 'location' in globalThis : /^https?:$/.test(protocolOf(baseUrl));
  if (isAddress) return withoutSlashes(baseUrl);
  throw new TypeError(`${JSON.stringify(baseUrl)} is not the base URL of a server, as in "http://127.0.0.1:8080"`);
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '');

async function* readChunks(response: Response, breaksOff: (error: unknown) => never): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(breaksOff);
      if (done) return;
      yield value;
    }
  } finally {
    // Frees the connection when the consumer stops early.
    await reader.cancel().catch(() => {});
  }
}
