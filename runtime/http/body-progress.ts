/** Tells bodies that come slowly from those that have stopped coming. */
import { cutOff, type NodeRequest } from './node-messages.js';
import type { Pace } from './time-limits.js';

/** Watches the pace of a body that is being read. Calls `onStopped` once where it falls behind; returns how to end. */
export function watchPace({ windowMs, leastBytes }: Pace, bytesRead: () => number, onStopped: () => void): () => void {
  let before = bytesRead();
  const timer = setInterval(() => {
    const now = bytesRead();
    if (now - before >= leastBytes) {
      before = now;
      return;
    }
    clearInterval(timer);
    onStopped();
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
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
