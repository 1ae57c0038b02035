/** Waits for signals to abort, with one listener for each signal: Node warns of a leak from eleven listeners on. */

/** The callers that wait for a signal, and how to remove its listener. */
interface Waiting {
  readonly acts: Set<() => void>;
  release(): void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls a function once when the signal is aborted, or at once if it already is. The returned function stops waiting.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (!signal || signal.aborted) {
    if (signal) act();
    return () => {};
  }
  const waiting = waitingFor.get(signal) ?? listenTo(signal);
  // Calls a function twice if it was added twice.
  const own = (): void => act();
  waiting.acts.add(own);
  return () => {
    if (waiting.acts.delete(own) && waiting.acts.size === 0) waiting.release();
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const acts = new Set<() => void>();
  const release = (): void => {
    waitingFor.delete(signal);
    signal.removeEventListener('abort', tell);
  };
  const tell = (): void => {
    release();
    // Skips callers that have stopped waiting in the meantime.
    for (const act of acts) act();
  };
  const waiting = { acts, release };
  waitingFor.set(signal, waiting);
  signal.addEventListener('abort', tell);
  return waiting;
}
