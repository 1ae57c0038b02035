/** The HTTP side of the server: an h3 app whose handlers read the node request and write the node response themselves. */
import type { OutgoingHttpHeaders } from 'node:http';
import { H3Core, type H3Event, type NodeHandler } from 'h3';
import { FastURL, NodeRequest as FetchRequest, sendNodeResponse } from 'srvx/node';
import type { Result } from '../contract/index.js';
import { type MaybePromise, thenSync } from '../objects/maybe-promise.js';
import { badRequest, requestEntityTooLarge } from '../objects/status.js';
import type { ApiRequest, ApiResponse, Handle, StreamStart } from '../verbs/api-request.js';
import {
  drained,
  flushHead,
  isGone,
  isNodeRequest,
  isNodeResponse,
  isTakenBack,
  type NodeRequest,
  type NodeResponse,
  needsDrain,
  sendsAsIs,
} from './node-messages.js';
import { batchRequests } from './request-batching.js';
import { ResponseStream } from './response-stream.js';

/** What a handler returns when it has dealt with the node response by itself. */
const handled = Symbol.for('h3.handled');

/** An answer, and where it is to go. */
interface Outgoing {
  readonly res: NodeResponse;
  readonly answer: ApiResponse;
}

/**
 * The app of a server, which h3 composes. Routes of h3 are not looked for, since which resources there are changes at run
 * time, and looking for them costs more than finding a resource does.
 */
class ServerApp extends H3Core {
  readonly #handle: Handle;
  #outgoing: Outgoing[] = [];
  readonly #sendAll = (): void => {
    const all = this.#outgoing;
    this.#outgoing = [];
    for (const { res, answer } of all) void send(res, answer);
  };

  constructor(handle: Handle) {
    // The path is taken apart by the handler, which has an answer for malformed escapes.
    super({ allowMalformedURL: true });
    this.#handle = handle;
  }

  override handler(event: H3Event): MaybePromise<symbol> {
    const { req, res } = nodeOf(event);
    return thenSync(this.#handle(toRequest(req)), (answer) => this.#sendWithOthers({ res, answer }));
  }

  /** Sends an answer once the others are found that are found in one go with it: writing has code and memory of its own. */
  #sendWithOthers(outgoing: Outgoing): symbol {
    if (this.#outgoing.push(outgoing) === 1) void settled.then(this.#sendAll);
    return handled;
  }
}

/** Goes on in a microtask without what Node keeps for each of `queueMicrotask`. */
const settled = Promise.resolve();

/** What h3 would make of each target, which nobody reads: the handler takes the target apart by itself. */
const unreadUrl = new FastURL('http://localhost/');

export const defineApp = (handle: Handle): H3Core => new ServerApp(handle);

/**
 * Brings the requests of a node server to an app. The adapter of h3 ends every response once more, which for those that
 * have been ended makes an error that costs more than all the rest of a get.
 */
export function listenerOf(app: H3Core): NodeHandler {
  return batchRequests((req, res) => {
    const request = new FetchRequest({ req, res });
    request._url = unreadUrl;
    const response = app.fetch(request);
    // The app sends its answers by itself; something is left for h3 to send only where it failed while it looked for one.
    if (response instanceof Promise)
      void response.then((late) => (res.headersSent ? undefined : sendNodeResponse(res, late)));
  });
}

function nodeOf(event: H3Event): { readonly req: NodeRequest; readonly res: NodeResponse } {
  const { req, res } = event.runtime?.node ?? {};
  if (isNodeRequest(req) && isNodeResponse(res)) return { req, res };
  throw new Error('the server needs the node runtime of h3');
}

/** A request as verbs take it. */
export function toRequest(req: NodeRequest): ApiRequest {
  const url = req.url ?? '/';
  const mark = url.indexOf('?');
  let body: Promise<Result<Uint8Array>> | undefined;
  return {
    method: req.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: req.headers,
    valuesOf: (name) => valuesOf(req, name),
    readBody: (limit) => {
      body ??= readBody(req, limit);
      return body;
    },
  };
}

/** Node joins the values of most headers, so that commas within them could not be told from those between. */
function valuesOf({ rawHeaders }: NodeRequest, name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}

/** Reads a body up to a limit; a larger one is refused as soon as that is known. */
function readBody(req: NodeRequest, limit: number): Promise<Result<Uint8Array>> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.resolve(tooLarge(limit));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) resolve(tooLarge(limit));
      else chunks.push(chunk);
    });
    req.on('end', () => {
      if (isTakenBack(req)) return resolve(takenBack);
      const [only] = chunks;
      resolve({ ok: true, value: chunks.length === 1 && only ? only : Buffer.concat(chunks, length) });
    });
    req.on('error', () => resolve(takenBack));
  });
}

const takenBack: Result<never> = { ok: false, failure: badRequest('the body of the request broke off') };

const tooLarge = (limit: number): Result<never> => ({ ok: false, failure: requestEntityTooLarge(`limit is ${limit}`) });

/** Writes an answer. The promise, where there is one, resolves when the response no longer needs the handler. */
export function send(res: NodeResponse, answer: ApiResponse): MaybePromise<void> {
  const { body } = answer;
  if (body instanceof Uint8Array) return sendWhole(res, answer, body);
  if ('stream' in body) return stream(res, answer, body.stream);
  const [only] = body;
  return only && body.length === 1 ? sendWhole(res, answer, only) : sendChunks(res, answer, body);
}

/** Writes a body that is there as a whole: to wait until a part of it has been taken would save no memory. */
function sendWhole(res: NodeResponse, answer: ApiResponse, body: Uint8Array): void {
  res.writeHead(answer.code, headersOf(answer, body.length));
  const batches = body.length > batchBytesAsIs && sendsAsIs(res) ? Math.ceil(body.length / batchBytesAsIs) : 1;
  const size = Math.ceil(body.length / batches);
  for (let batch = 1; batch < batches; batch++) {
    res.cork();
    res.write(body.subarray((batch - 1) * size, batch * size));
    res.uncork();
  }
  res.end(batches === 1 ? body : body.subarray((batches - 1) * size));
}

function headersOf(answer: ApiResponse, length: number | undefined): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    'content-type': answer.contentType,
    'cache-control': 'no-cache, private',
    ...answer.headers,
  };
  if (length !== undefined) headers['content-length'] = length;
  return headers;
}

/** Bytes handed over in one go where they are encrypted or framed, which copies them. */
const copiedBatchBytes = 4 * 1024 * 1024;

/**
 * Bytes handed over in one go where they are not copied, to which the last chunk may add some. Calls that send more than
 * 1 MiB can take twice as long for each byte; and the client reads the first batch while the next one is sent.
 */
const batchBytesAsIs = 768 * 1024;

/** Writes chunks in batches of about the same size, each once the one before it has been taken. */
async function sendChunks(res: NodeResponse, answer: ApiResponse, chunks: readonly Uint8Array[]): Promise<void> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  res.writeHead(answer.code, headersOf(answer, length));
  res.cork();
  const most = sendsAsIs(res) ? batchBytesAsIs : copiedBatchBytes;
  const batchBytes = length / Math.ceil(length / most);
  let batch = 0;
  for (const chunk of chunks) {
    if (isGone(res)) return;
    res.write(chunk);
    batch += chunk.length;
    if (batch < batchBytes) continue;
    batch = 0;
    res.uncork();
    if (needsDrain(res)) await drained(res);
    res.cork();
  }
  res.end();
  res.uncork();
}

function stream(res: NodeResponse, answer: ApiResponse, start: StreamStart): Promise<void> {
  return new Promise((resolve) => {
    // Nothing would ever stop a stream whose client has gone before it began.
    if (isGone(res)) return resolve();
    res.writeHead(answer.code, headersOf(answer, undefined));
    flushHead(res);
    const stop = start(new ResponseStream(res));
    res.once('close', () => {
      stop();
      resolve();
    });
  });
}
