/** A transport to a server in the same process: the same client, without a socket. */
import { onAbort } from './connection/on-abort.js';
import { untilAborted } from './connection/until-aborted.js';
import { ConnectionError } from './errors.js';
import type { Transport, TransportResponse } from './transport.js';

/** A request as a server's `handle` takes it. */
interface HandledRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readBody(
    limit: number,
  ): Promise<
    | { readonly ok: true; readonly value: Uint8Array }
    | { readonly ok: false; readonly failure: { readonly reason: 'RequestEntityTooLarge'; readonly message: string } }
  >;
}

/** The receiver of a streamed answer. */
interface Sink {
  readonly buffered: number;
  write(chunk: Uint8Array): void;
  taken(): Promise<void>;
  end(): void;
  destroy(): void;
}

/** An answer as a server's `handle` gives it. */
interface HandledAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body: Uint8Array | readonly Uint8Array[] | { readonly stream: (sink: Sink) => () => void };
}

/** Makes a transport over a server's `handle`. `headers` are sent with each request, such as `authorization`. */
export function inProcessTransport(
  handle: (request: HandledRequest) => HandledAnswer | Promise<HandledAnswer>,
  headers: Readonly<Record<string, string>> = {},
): Transport {
  return {
    async send(request) {
      request.signal?.throwIfAborted();
      const [path = '', search = ''] = request.path.split('?', 2);
      const body = new TextEncoder().encode(request.body ?? '');
      const answer = Promise.resolve(
        handle({
          method: request.method,
          path,
          search,
          headers: { 'user-agent': 'kindforge-sdk', ...headers, ...request.headers },
          readBody: (limit) => Promise.resolve(body.length > limit ? tooLarge(limit) : { ok: true, value: body }),
        }),
      );
      return toResponse(await untilAborted(answer, request.signal), request.signal);
    },
  };
}

const tooLarge = (limit: number) =>
  ({
    ok: false,
    failure: { reason: 'RequestEntityTooLarge', message: `Request entity too large: limit is ${limit}` },
  }) as const;

function toResponse(
  { code, contentType, headers = {}, body }: HandledAnswer,
  signal: AbortSignal | undefined,
): TransportResponse {
  const header = (name: string): string => {
    if (name === 'content-type') return contentType;
    const value = headers[name] ?? '';
    return typeof value === 'string' ? value : value.join(', ');
  };
  const chunks = (): AsyncIterable<Uint8Array> => ('stream' in body ? streamed(body.stream, signal) : whole(body));
  const text = async (): Promise<string> => {
    const decoder = new TextDecoder();
    let read = '';
    for await (const chunk of chunks()) read += decoder.decode(chunk, { stream: true });
    return read + decoder.decode();
  };
  return { status: code, header, text, chunks };
}

async function* whole(body: Uint8Array | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}

/** Yields the bytes written since the last chunk. Leaving the loop closes the stream on the server. */
async function* streamed(
  start: (sink: Sink) => () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const queue: Uint8Array[] = [];
  let buffered = 0;
  const stream: { state: 'open' | 'ended' | 'broken' } = { state: 'open' };
  let wake = (): void => {};
  /** Called when the reader has read all chunks, or has left. */
  const whenTaken: (() => void)[] = [];
  const tellTaken = (): void => {
    for (const tell of whenTaken.splice(0)) tell();
  };
  const change = (next: 'ended' | 'broken'): void => {
    if (stream.state === 'open') stream.state = next;
    wake();
  };
  const stop = start({
    get buffered() {
      return buffered;
    },
    write: (chunk) => {
      queue.push(chunk);
      buffered += chunk.length;
      wake();
    },
    taken: () =>
      new Promise((resolve) => {
        whenTaken.push(resolve);
      }),
    end: () => change('ended'),
    destroy: () => change('broken'),
  });
  const unfollow = onAbort(signal, () => wake());
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (queue.length > 0) {
        const chunk = joined(queue.splice(0));
        buffered -= chunk.length;
        yield chunk;
        if (queue.length === 0) tellTaken();
      } else if (stream.state === 'ended') return;
      else if (stream.state === 'broken') throw new ConnectionError('an answer broke off', 'the server ended it');
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unfollow();
    stop();
    tellTaken();
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
