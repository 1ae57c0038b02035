/** Writes answers to responses of Node servers. */
import type { MaybePromise } from '../objects/turns.js';
import {
  type ApiResponse,
  isStreamed,
  type RequestTags,
  type StreamedBody,
  type StreamSink,
} from '../request/api-request.js';
import { asChunked, ChunkedStream, chunkedHeader } from './chunked-stream.js';
import {
  breakOff,
  drained,
  flushHead,
  type HeaderLines,
  headerLines,
  isGone,
  isWritable,
  type NodeResponse,
  needsDrain,
  sendsAsIs,
  writeHead,
} from './node-messages.js';

/** Writes an answer. The promise, if there is one, resolves when the response no longer needs the handler. */
export function writeResponse(res: NodeResponse, answer: ApiResponse, tags?: RequestTags): MaybePromise<void> {
  const { body } = answer;
  if (body instanceof Uint8Array) return sendWhole(res, answer, tags, body);
  if (isStreamed(body)) return stream(res, answer, tags, body);
  const [only] = body;
  return only && body.length === 1 ? sendWhole(res, answer, tags, only) : sendChunks(res, answer, tags, body);
}

/** Writes a complete body, without waits between its parts, because these would save no memory. */
function sendWhole(res: NodeResponse, answer: ApiResponse, tags: RequestTags | undefined, body: Uint8Array): void {
  writeHead(res, answer.code, headerLines(answer, tags, body.length));
  const batches = body.length > batchBytesAsIs && sendsAsIs(res) ? Math.ceil(body.length / batchBytesAsIs) : 1;
  const size = Math.ceil(body.length / batches);
  for (let batch = 1; batch < batches; batch++) {
    res.cork();
    res.write(body.subarray((batch - 1) * size, batch * size));
    res.uncork();
  }
  res.end(batches === 1 ? body : body.subarray((batches - 1) * size));
}

/** The bytes of a batch if encryption or framing copies them. */
const copiedBatchBytes = 4 * 1024 * 1024;

/**
 * The bytes of a batch without a copy; the last chunk may exceed it. Calls that send more than 1 MiB can take twice as
 * long per byte. With batches, the client can also read the first one while the server sends the next.
 */
const batchBytesAsIs = 768 * 1024;

/** Writes chunks in batches of about the same size, and waits for the client between batches. */
async function sendChunks(
  res: NodeResponse,
  answer: ApiResponse,
  tags: RequestTags | undefined,
  chunks: readonly Uint8Array[],
): Promise<void> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  writeHead(res, answer.code, headerLines(answer, tags, length));
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

function stream(
  res: NodeResponse,
  answer: ApiResponse,
  tags: RequestTags | undefined,
  { stream: start, abandoned }: StreamedBody,
): Promise<void> {
  return new Promise((resolve) => {
    // Nothing would ever stop a stream if its client disconnected before the start.
    if (isGone(res)) {
      abandoned?.();
      return resolve();
    }
    const stop = start(beginStream(res, answer.code, headerLines(answer, tags, undefined)));
    res.once('close', () => {
      stop();
      resolve();
    });
  });
}

// Begins the stream of a response: with our own chunks if possible, else with Node's.

/** Sends the head of a response, and returns the stream of its body. */
export function beginStream(res: NodeResponse, code: number, headers: HeaderLines): StreamSink {
  const chunked = isBodiless(code) ? undefined : asChunked(res, headers);
  writeHead(res, code, chunked ? [...headers, ...chunkedHeader] : headers);
  flushHead(res);
  return chunked ? new ChunkedStream(chunked) : nodeStream(res);
}

/** Checks whether answers with a code have no body (RFC 9110, section 6.4.1). */
const isBodiless = (code: number): boolean => code === 204 || code === 304;

/** Streams through Node's own `write`. Drops bytes that the client can no longer receive. */
function nodeStream(res: NodeResponse): StreamSink {
  return {
    get buffered() {
      return res.writableLength;
    },
    write(bytes) {
      if (isWritable(res)) res.write(bytes);
    },
    taken: () => (needsDrain(res) ? drained(res) : new Promise((resolve) => setImmediate(resolve))),
    end: () => void res.end(),
    destroy: () => breakOff(res),
  };
}
