/** Reports each request to a tracer, and sends the trace to the server. */
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';

/** The facts of a request. */
export interface TracedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** The path with placeholders for names, as in `/api/v1/namespaces/{namespace}/configmaps/{name}`. */
  readonly template: string;
}

/** A span in progress. */
export interface RequestSpan {
  /** The headers that carry the trace to the server, such as `traceparent`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Records the start of the answer. The answer of a watch continues after that. */
  answered?(status: number): void;
  /** Ends the span after the whole answer, or with the error if the answer failed. */
  end(error?: unknown): void;
}

/** Starts a span for each request. A retry has a span of its own. */
export interface RequestTracer {
  /** Starts a span right before the request is sent. */
  begin(request: TracedRequest): RequestSpan;
}

/** Reports each request of a transport to a tracer. */
export function traced(transport: Transport, tracer: RequestTracer): Transport {
  return {
    async send(request) {
      const { method, path } = request;
      const span = tracer.begin({ method, path, template: templateOf(path) });
      try {
        const response = await transport.send({ ...request, headers: { ...request.headers, ...span.headers } });
        span.answered?.(response.status);
        return endedWith(response, span, request);
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
  };
}

/** Ends the span when the body has been read, or cannot be read. */
const endedWith = (
  response: TransportResponse,
  span: RequestSpan,
  { signal }: TransportRequest,
): TransportResponse => ({
  status: response.status,
  header: (name) => response.header(name),
  text: async () => {
    try {
      const text = await response.text();
      span.end();
      return text;
    } catch (error) {
      span.end(error);
      throw error;
    }
  },
  chunks: async function* () {
    let failure: unknown;
    try {
      yield* response.chunks();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // A caller that ends a watch has what it wanted: this is not an error.
      span.end(signal?.aborted ? undefined : failure);
    }
  },
});

/** Replaces the names in a path by words, so that a tracer can group requests. */
export function templateOf(path: string): string {
  const [, root = '', ...parts] = path.split('?')[0]?.split('/') ?? [];
  const size = root === 'api' ? 1 : root === 'apis' ? 2 : undefined;
  if (size === undefined) return `/${[root, ...parts].join('/')}`;
  const [version, rest] = [parts.slice(0, size), parts.slice(size)];
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '');
  const place = isNamespaced ? ['namespaces', '{namespace}'] : [];
  const [resource, name, ...more] = isNamespaced ? rest.slice(2) : rest;
  const object = [resource, name === undefined ? undefined : '{name}', ...more];
  return `/${[root, ...version, ...place, ...object].filter((part) => part !== undefined).join('/')}`;
}
