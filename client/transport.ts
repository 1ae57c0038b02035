/** How requests reach a server: over fetch here; in process, or over anything else, by the same interface. */

/** One request. */
export interface TransportRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** One answer, whose body is read once: whole, or piece by piece. */
export interface TransportResponse {
  readonly status: number;
  /** A header's value, empty where there is none; names in lower case. */
  header(name: string): string;
  text(): Promise<string>;
  /** The body as it arrives; ends with the body, rejects when the connection breaks. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Sends requests. Rejects where there is no answer at all. */
export interface Transport {
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

/** A transport over fetch; works in browsers and in Node. */
export function fetchTransport(options: FetchTransportOptions): Transport {
  const base = options.baseUrl.replace(/\/+$/, '');
  const send = options.fetch ?? fetch;
  return {
    async send({ method, path, headers, body, signal }) {
      const response = await send(base + path, {
        method,
        headers: { ...options.headers, ...headers },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? '',
        text: () => response.text(),
        chunks: () => readChunks(response),
      };
    },
  };
}

async function* readChunks(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Lets go of the connection when the consumer stops early.
    await reader.cancel().catch(() => {});
  }
}
