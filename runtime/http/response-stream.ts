/** Streams the body of a response: what is written in one turn is sent at its end, in one go for each client. */
import { ServerResponse } from 'node:http';
import type { StreamSink } from '../verbs/api-request.js';
import { chunkOf, lastChunk } from './chunk.js';
import { breakOff, isGone, type NodeResponse, roomIn, takeOverChunking, type Wire, wireOf } from './node-messages.js';

/** Streams with bytes to send once the turn has come to its end. */
let written: ResponseStream[] = [];

function sendWritten(): void {
  const streams = written;
  written = [];
  for (const stream of streams) stream.send();
}

/**
 * The stream of a response whose head was sent. Left to Node, each response would wait for the end of the turn by itself,
 * and go through all layers of a response twice for each event; watchers are many, so that is an eighth of what an event
 * costs.
 */
export class ResponseStream implements StreamSink {
  readonly #res: NodeResponse;
  readonly #chunked: boolean;
  /** Nothing is written to it any more once the response has come to its end: the next one may. */
  #wire: Wire | undefined;
  /** A response that is gone does not say so when asked whether it is writable. */
  readonly #viaResponse: boolean;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** What the last sending left to be sent. */
  #leftBytes = 0;

  constructor(res: NodeResponse) {
    this.#res = res;
    this.#chunked = takeOverChunking(res);
    const wire = wireOf(res);
    this.#wire = wire;
    this.#viaResponse = wire instanceof ServerResponse;
  }

  /** Asks the connection only where it may not have sent all: that costs more than anything else about an event. */
  get buffered(): number {
    if (this.#leftBytes > 0) this.#leftBytes = this.#wire?.writableLength ?? 0;
    return this.#leftBytes + this.#waitingBytes;
  }

  write(bytes: Uint8Array): void {
    this.#waitingBytes += bytes.length;
    if (this.#waiting.push(bytes) === 1 && written.push(this) === 1) process.nextTick(sendWritten);
  }

  /** Sends what waits. */
  send(): void {
    const parts = this.#waiting;
    const wire = this.#wire;
    if (parts.length === 0) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (!wire?.writable || (this.#viaResponse && isGone(this.#res))) return;
    const [only] = parts;
    wire.write(this.#chunked ? chunkOf(parts) : parts.length === 1 && only ? only : Buffer.concat(parts));
    this.#leftBytes = wire.writableLength;
  }

  taken(): Promise<void> {
    this.send();
    return roomIn(this.#wire);
  }

  end(): void {
    this.send();
    this.#wire = undefined;
    if (this.#chunked) this.#res.write(lastChunk);
    this.#res.end();
  }

  destroy(): void {
    this.#wire = undefined;
    breakOff(this.#res);
  }
}
