/**
 * The limits of a server on times and sizes. Watches have no time limit. Neither have bodies that keep arriving: the
 * server only cuts off a body that has stopped.
 */
import { cutOff, type NodeRequest } from './node-messages.js';

/** A body has stopped if fewer than `leastBytes` arrive in `windowMs`, in milliseconds. */
export interface Pace {
  readonly windowMs: number;
  readonly leastBytes: number;
}

export interface TimeLimits {
  /** The time for the headers, from the first byte or from the start of the connection, in milliseconds. */
  readonly headersMs: number;
  readonly bodyPace: Pace;
  /** The time for a connection without requests, in milliseconds. */
  readonly idleMs: number;
  /**
   * The time for the rest of a body that nobody reads, in milliseconds. Some clients only read the answer after they
   * have sent everything.
   */
  readonly restMs: number;
  /** The time for requests that are in flight when the server stops, in milliseconds. */
  readonly stopMs: number;
}

/**
 * Headers have as much time as in the reference. Every network is faster than two bytes per second; a slower client
 * only holds the connection open.
 */
export const usualLimits: TimeLimits = {
  headersMs: 32_000,
  bodyPace: { windowMs: 32_000, leastBytes: 64 },
  idleMs: 90_000,
  restMs: 5000,
  stopMs: 100,
};

export interface SizeLimits {
  /** The most bytes of all headers together; over HTTP/2, at most 16 KiB. */
  readonly headerBytes: number;
  /** The most headers of a request. */
  readonly headers: number;
  readonly urlBytes: number;
  /** The most open connections, over all addresses that the server listens on. */
  readonly connections: number;
  /** The most concurrent requests on one HTTP/2 connection, including watches. */
  readonly http2Streams: number;
}

/** The limits on headers and streams are the reference's; it does not limit the others. */
export const usualSizes: SizeLimits = {
  headerBytes: 1024 * 1024,
  headers: 25_000,
  urlBytes: 64 * 1024,
  connections: 10_000,
  http2Streams: 250,
};

/**
 * Watches the pace of a body during its read. Calls `onStopped` once if the body falls behind. Returns a function that
 * ends the watch.
 */
export function watchPace(pace: Pace, bytesRead: () => number, onStopped: () => void): () => void {
  const watched = new PacedBody(pace, bytesRead, onStopped, bodies.length);
  bodies.push(watched);
  ticking ??= setInterval(lookAtAll, tickMs).unref();
  return () => forget(watched);
}

/**
 * The bodies in progress. One timer checks all: most bodies are complete in the same turn, so one timer per body would
 * cost more. The last body takes the index of a removed one, so the list does not grow and keeps no old body alive.
 */
const bodies: PacedBody[] = [];
const tickMs = 200;
let ticking: NodeJS.Timeout | undefined;

function lookAtAll(): void {
  for (const body of [...bodies]) if (body.hasStopped()) forget(body);
}

function forget(body: PacedBody): void {
  if (bodies[body.place] !== body) return;
  const last = bodies.pop();
  if (last && last !== body) {
    bodies[body.place] = last;
    last.place = body.place;
  }
  if (bodies.length > 0) return;
  clearInterval(ticking);
  ticking = undefined;
}

class PacedBody {
  #before: number;
  #windowEnds: number;

  constructor(
    private readonly pace: Pace,
    private readonly bytesRead: () => number,
    private readonly onStopped: () => void,
    /** The index in `bodies`. */
    public place: number,
  ) {
    this.#before = bytesRead();
    this.#windowEnds = Date.now() + pace.windowMs;
  }

  /** Returns whether the body has fallen behind, and reports it if so. */
  hasStopped(): boolean {
    if (Date.now() < this.#windowEnds) return false;
    const now = this.bytesRead();
    const stopped = now - this.#before < this.pace.leastBytes;
    this.#before = now;
    this.#windowEnds = Date.now() + this.pace.windowMs;
    if (stopped) this.onStopped();
    return stopped;
  }
}

/** Closes the connection of an answered request if the rest of the body does not arrive in time. */
export function closeUnlessRead(req: NodeRequest, restMs: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) cutOff(req);
  }, restMs);
  timer.unref();
  req.once('close', () => clearTimeout(timer));
}
