/**
 * The limits of a server on times and sizes. Watches have no limit on time, and neither do bodies that keep coming: a
 * body is only cut off once it has stopped.
 */
import { cutOff, type NodeRequest } from './node-messages.js';

/** A body has stopped if fewer than `leastBytes` come in `windowMs`, milliseconds. */
export interface Pace {
  readonly windowMs: number;
  readonly leastBytes: number;
}

export interface TimeLimits {
  /** For the headers, from the first byte or from the start of the connection, milliseconds. */
  readonly headersMs: number;
  readonly bodyPace: Pace;
  /** For a connection without requests, milliseconds. */
  readonly idleMs: number;
  /** For the rest of a body that nobody reads, milliseconds: some clients read the answer only after they sent all. */
  readonly restMs: number;
  /** For requests that are on their way when the server stops, milliseconds. */
  readonly stopMs: number;
}

/**
 * Headers have as much time as in the reference. Every network is faster than two bytes in a second, and a client that
 * only holds a connection open is slower.
 */
export const usualLimits: TimeLimits = {
  headersMs: 32_000,
  bodyPace: { windowMs: 32_000, leastBytes: 64 },
  idleMs: 90_000,
  restMs: 5000,
  stopMs: 100,
};

export interface SizeLimits {
  /** Bytes of all headers together; over HTTP/2 it is 16 KiB at most. */
  readonly headerBytes: number;
  /** Headers of a request. */
  readonly headers: number;
  readonly urlBytes: number;
  /** Open connections of all places where the server listens. */
  readonly connections: number;
  /** Requests at a time on one HTTP/2 connection, watches among them. */
  readonly http2Streams: number;
}

/** Headers and streams are as many as in the reference; it has no limit on the others. */
export const usualSizes: SizeLimits = {
  headerBytes: 1024 * 1024,
  headers: 25_000,
  urlBytes: 64 * 1024,
  connections: 10_000,
  http2Streams: 250,
};

/** Watches the pace of a body that is being read. Calls `onStopped` once if it falls behind; returns how to end. */
export function watchPace(pace: Pace, bytesRead: () => number, onStopped: () => void): () => void {
  const watched = new PacedBody(pace, bytesRead, onStopped, bodies.length);
  bodies.push(watched);
  ticking ??= setInterval(lookAtAll, tickMs).unref();
  return () => forget(watched);
}

/**
 * One timer checks all bodies that are being read: most are complete in the same turn, and a timer for each costs more.
 * The last body takes the place of one that is forgotten, so the list does not grow and keeps no old body alive.
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

  /** Checks whether the body has fallen behind, and reports that. */
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

/** Closes the connection of an answered request if the rest of the body does not come in time. */
export function closeUnlessRead(req: NodeRequest, restMs: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) cutOff(req);
  }, restMs);
  timer.unref();
  req.once('close', () => clearTimeout(timer));
}
