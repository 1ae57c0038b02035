/** The HTTP side of the server: an h3 app whose handlers read the node request and write the node response themselves. */
import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http';
import { H3, type H3Event } from 'h3';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import type { Result } from '../contract/index.js';
import { requestEntityTooLarge } from '../objects/status.js';
import type { Answer, ApiRequest, StreamSink } from '../verbs/exchange.js';
import { chunkOf, lastChunk } from './chunk.js';
import type { Handle } from './handler.js';

/** What a handler returns when it has dealt with the node response by itself. */
const handled = Symbol.for('h3.handled');

/**
 * The app of a server. h3 composes it: a caller may put middleware in front, or mount it in an app of its own. It has no
 * routes of h3, since which resources there are changes at run time.
 */
export function defineApp(handle: Handle): H3 {
  // The path is taken apart by the handler, which has an answer for malformed escapes.
  const app = new H3({ allowMalformedURL: true });
  app.use(async (event) => {
    const { req, res } = nodeOf(event);
    await send(res, await handle(toRequest(req)));
    return handled;
  });
  return app;
}

/**
 * Brings the requests of a node server to an app. The adapter of h3 ends every response once more, which for those that
 * have been ended makes an error that costs more than all the rest of a get.
 */
export function listenerOf(app: H3): RequestListener {
  return async (req, res) => {
    const response = await app.fetch(new NodeRequest({ req, res }));
    if (!res.headersSent) await sendNodeResponse(res, response);
  };
}

function nodeOf(event: H3Event): { readonly req: IncomingMessage; readonly res: ServerResponse } {
  const { req, res } = event.runtime?.node ?? {};
  if (req instanceof IncomingMessage && res instanceof ServerResponse) return { req, res };
  throw new Error('the server needs the HTTP/1.1 node runtime of h3');
}

function toRequest(req: IncomingMessage): ApiRequest {
  const url = req.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: req.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: req.headers,
    readBody: (limit) => readBody(req, limit),
  };
}

/** Reads a body up to a limit; a larger one is refused as soon as that is known. */
function readBody(req: IncomingMessage, limit: number): Promise<Result<Uint8Array>> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.resolve(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) resolve(tooLarge(limit));
      else chunks.push(chunk);
    });
    req.on('end', () => {
      const [only] = chunks;
      resolve({ ok: true, value: chunks.length === 1 && only ? only : Buffer.concat(chunks, length) });
    });
    req.on('error', reject);
  });
}

const tooLarge = (limit: number): Result<never> => ({ ok: false, failure: requestEntityTooLarge(`limit is ${limit}`) });

/** Writes an answer; resolves when the response no longer needs the handler. */
async function send(res: ServerResponse, answer: Answer): Promise<void> {
  const { body } = answer;
  if (body instanceof Uint8Array) {
    res.writeHead(answer.code, headersOf(answer, body.length));
    res.end(body);
  } else if ('stream' in body) await stream(res, answer, body.stream);
  else sendChunks(res, answer, body);
}

function headersOf(answer: Answer, length: number | undefined): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    'content-type': answer.contentType,
    'cache-control': 'no-cache, private',
    ...answer.headers,
  };
  if (length !== undefined) headers['content-length'] = length;
  return headers;
}

/** Hands all chunks to the socket in one go. They are shared, so that what waits in its queue costs next to nothing. */
function sendChunks(res: ServerResponse, answer: Answer, chunks: readonly Uint8Array[]): void {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  res.writeHead(answer.code, headersOf(answer, length));
  res.cork();
  for (const chunk of chunks) res.write(chunk);
  res.end();
  res.uncork();
}

function stream(res: ServerResponse, answer: Answer, start: (sink: StreamSink) => () => void): Promise<void> {
  return new Promise((resolve) => {
    res.writeHead(answer.code, headersOf(answer, undefined));
    res.flushHeaders();
    const chunked = takeOverChunking(res);
    const sink: StreamSink = {
      get buffered() {
        return res.writableLength;
      },
      write: (bytes) => {
        res.write(chunked ? chunkOf(bytes) : bytes);
      },
      end: () => {
        if (chunked) res.write(lastChunk);
        res.end();
      },
      destroy: () => {
        res.destroy();
      },
    };
    const stop = start(sink);
    res.once('close', () => {
      stop();
      resolve();
    });
  });
}

/** Whether the body goes in chunks; if so they are no longer made by node, which makes them anew for each response. */
function takeOverChunking(res: ServerResponse): boolean {
  const chunked = res.chunkedEncoding;
  res.chunkedEncoding = false;
  return chunked;
}
