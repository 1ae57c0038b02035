/** Distinguishes bodies that come slowly from bodies that have stopped. */
import { cutOff, type NodeRequest } from './node-messages.js';
import type { Pace } from './time-limits.js';

/** Watches the pace of a body that is being read. Calls `onStopped` once if it falls behind; returns how to end. */
export function watchPace(pace: Pace, bytesRead: () => number, onStopped: () => void): () => void {
  const watched = new PacedBody(pace, bytesRead, onStopped, bodies.length);
  bodies.push(watched);
  ticking ??= setInterval(lookAtAll, tickMs).unref();
  return () => forget(watched);
}

/**
 * One timer looks at all bodies that are being read: most are there in the same turn, and a timer of their own costs
 * more. The last body takes the place of one that goes: no table grows, and what has gone is held by nothing.
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
    /** Its position among all. */
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

/** Closes the connection of a request that has been answered where the rest of its body does not come in time. */
export function closeUnlessRead(req: NodeRequest, restMs: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) cutOff(req);
  }, restMs);
  timer.unref();
  req.once('close', () => clearTimeout(timer));
}
