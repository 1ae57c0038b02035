/**
 * The stream of a response of HTTP/1.1 with chunks that are framed here, once for all clients that get the same bytes.
 */
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { StreamSink } from '../request/api-request.js';
import { drained, type HeaderLines, type NodeResponse } from './node-messages.js';

const lineEnd = Buffer.from('\r\n');

/** A response that has the connection to itself until it ends. */
export interface ChunkedResponse {
  readonly res: ServerResponse;
  readonly socket: Socket;
}

/** The header that lets a body be framed here. Node ends such a body by the last chunk. */
export const chunkedHeader: HeaderLines = ['Transfer-Encoding', 'chunked'];

/**
 * Returns the response if its body may be framed here; its head then must have the header above. Returns undefined for
 * a response that waits for an earlier one of its connection, for a client or a request without chunks, for a body of
 * known length, and if `write` is not Node's own, as under a middleware that compresses.
 */
export function asChunked(res: NodeResponse, headers: HeaderLines): ChunkedResponse | undefined {
  if (!(res instanceof ServerResponse) || res.write !== ServerResponse.prototype.write) return undefined;
  const { socket, req } = res;
  if (!socket || req.httpVersion !== '1.1' || req.method === 'HEAD' || headers.includes('content-length'))
    return undefined;
  return { res, socket };
}

/** The streams with bytes that go out at the end of the turn. */
let written: ChunkedStream[] = [];

function sendWritten(): void {
  const streams = written;
  written = [];
  for (const stream of streams) stream.send();
}

/** The chunk that was sent last: the changes of a turn are sent to all their watchers one after the other. */
let latest: { readonly parts: readonly Uint8Array[]; readonly chunk: Buffer } | undefined;

function sharedChunk(parts: readonly Uint8Array[]): Buffer {
  if (latest?.parts.length === parts.length && parts.every((part, i) => part === latest?.parts[i])) return latest.chunk;
  const chunk = chunkOf(parts);
  latest = { parts, chunk };
  return chunk;
}

/**
 * Sends what is written in one turn as one chunk. Node's own `write` frames each write for each client and hands the
 * socket four pieces of it, by which a delivery to a watcher takes about a quarter more CPU time (scenario `requests` of `bench`).
 */
export class ChunkedStream implements StreamSink {
  readonly #res: ServerResponse;
  readonly #socket: Socket;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** The connection may carry the next response once this one has ended. */
  #ended = false;

  constructor({ res, socket }: ChunkedResponse) {
    this.#res = res;
    this.#socket = socket;
  }

  get buffered(): number {
    return this.#waitingBytes + (this.#ended ? 0 : this.#socket.writableLength);
  }

  write(bytes: Uint8Array): void {
    if (this.#ended || bytes.length === 0) return;
    this.#waitingBytes += bytes.length;
    if (this.#waiting.push(bytes) === 1 && written.push(this) === 1) process.nextTick(sendWritten);
  }

  /** Sends what waits, unless nobody can get it any more. */
  send(): void {
    const parts = this.#waiting;
    if (parts.length === 0) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#socket.writable) this.#socket.write(sharedChunk(parts));
  }

  taken(): Promise<void> {
    this.send();
    if (!this.#ended && this.#socket.writableNeedDrain) return drained(this.#socket);
    return new Promise((resolve) => setImmediate(resolve));
  }

  end(): void {
    this.send();
    this.#ended = true;
    this.#res.end();
  }

  destroy(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#ended = true;
    this.#res.destroy();
  }
}

/** Makes one chunk of parts that are not all empty: an empty one would end the body. */
function chunkOf(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, lineEnd]);
}
