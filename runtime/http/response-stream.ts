/** Begins the stream of a response: in chunks that are framed here where that may be, else as Node frames bodies. */
import type { StreamSink } from '../request/api-request.js';
import { asChunked, ChunkedStream, chunkedHeader } from './chunked-stream.js';
import { breakOff, drained, flushHead, isWritable, type NodeResponse, needsDrain, writeHead } from './node-messages.js';
import type { HeaderLines } from './response-headers.js';

/** Sends the head of a response, and returns the stream of its body. */
export function beginStream(res: NodeResponse, code: number, headers: HeaderLines): StreamSink {
  const chunked = asChunked(res, headers);
  writeHead(res, code, chunked ? [...headers, ...chunkedHeader] : headers);
  flushHead(res);
  return chunked ? new ChunkedStream(chunked) : nodeStream(res);
}

/** Streams through Node's own `write`. What is written once nobody can get it any more is dropped. */
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
