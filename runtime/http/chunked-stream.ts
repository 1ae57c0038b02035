/** The stream of an HTTP/1.1 response. Frames chunks itself, once for all clients that get the same bytes. */
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { StreamSink } from '../request/api-request.js';
import { drained, type HeaderLines, type NodeResponse } from './node-messages.js';

const lineEnd = Buffer.from('\r\n');

/** A response that has its connection to itself until it ends. */
export interface ChunkedResponse {
  readonly res: ServerResponse;
  readonly socket: Socket;
}

/** The header of a body with our own chunks. Node only sends the last chunk, which ends the body. */
export const chunkedHeader: HeaderLines = ['Transfer-Encoding', 'chunked'];

/**
 * Returns the response if this file may frame its body; its head then must have the header above. Returns `undefined`
 * if the response waits for an earlier one of its connection, has a known length, or answers a client or a request
 * without chunks. Also if `write` is not Node's own, as with middleware that compresses.
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

/** The last sent chunk. The watchers of a change send it one after the other, so they can share the chunk. */
let latest: { readonly parts: readonly Uint8Array[]; readonly chunk: Buffer } | undefined;

function sharedChunk(parts: readonly Uint8Array[]): Buffer {
  if (latest?.parts.length === parts.length && parts.every((part, i) => part === latest?.parts[i])) return latest.chunk;
  const chunk = chunkOf(parts);
  latest = { parts, chunk };
  return chunk;
}

/**
 * Sends all bytes of one turn as one chunk. Node's own `write` frames each write for each client and passes the socket
 * four pieces. A delivery to a watcher then takes about a quarter more CPU time (scenario `requests` of `bench`).
 */
export class ChunkedStream implements StreamSink {
  readonly #res: ServerResponse;
  readonly #socket: Socket;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Whether the response has ended. Then the connection may carry the next one. */
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

  /** Sends the waiting bytes, if the client can still receive them. */
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

/** Makes one chunk of parts. They must not all be empty, because an empty chunk would end the body. */
function chunkOf(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, lineEnd]);
}
