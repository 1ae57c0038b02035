/** How requests reach a server: over fetch here; in process, or over anything else, by the same interface. */

import { headerBytes } from './connection/header-bytes.js';
import { ConnectionError } from './errors.js';
import { withoutSlashes } from './slashes.js';

/** One request. */
export interface TransportRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** By names in lower case; a header with several values is sent once for each. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** How long it may take, with its repetitions and until its answer has been read, milliseconds. */
  readonly timeoutMs?: number;
}

/** One answer, whose body is read once: whole, or piece by piece. */
export interface TransportResponse {
  readonly status: number;
  /** A header's value, empty where there is none; names in lower case. */
  header(name: string): string;
  /** The whole body; rejects when the connection breaks. */
  text(): Promise<string>;
  /** The body as it arrives; ends with the body, rejects when the connection breaks. */
  chunks(): AsyncIterable<Uint8Array>;
}

/**
 * Sends requests. Rejects with `ConnectionError` where there is no answer, with the signal's reason where it is called
 * off.
 */
export interface Transport {
  /** Resolves when the answer begins. */
  send(request: TransportRequest): Promise<TransportResponse>;
}

/** Options of the transport over fetch. */
export interface FetchTransportOptions {
  /** As in `http://127.0.0.1:8080`; a path in it is kept in front of all requests. */
  readonly baseUrl: string;
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The fetch to use; the global one where not given. */
  readonly fetch?: typeof fetch;
}

/** A transport over fetch; works in browsers and in Node. Throws a TypeError where the address is none. */
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
      const response = await answer.catch(broken('no answer from'));
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

/** A fetch joins values with commas, which the server would read as one value. */
function singleValues(headers: TransportRequest['headers']): Record<string, string> {
  const single = Object.entries(headers).map(([name, value]): [string, string] => {
    const [one = '', ...others] = typeof value === 'string' ? [value] : value;
    if (others.length === 0) return [name, headerBytes(one)];
    throw new TypeError(`a fetch cannot send ${name} with several values; take a transport of kindforge/client/node`);
  });
  return Object.fromEntries(single);
}

/** The address without slashes at its end. One that begins with a slash is meant for browsers: it is the page's server. */
function checkedBase(baseUrl: string): string {
  const isAddress = baseUrl.startsWith('/') ? 'location' in globalThis : /^https?:$/.test(protocolOf(baseUrl));
  if (isAddress) return withoutSlashes(baseUrl);
  throw new TypeError(`${JSON.stringify(baseUrl)} is no base URL of a server, as in "http://127.0.0.1:8080"`);
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
    // Lets go of the connection when the consumer stops early.
    await reader.cancel().catch(() => {});
  }
}
