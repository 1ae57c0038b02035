/** Waits for the end of signals, with one listener for each signal: Node warns of more than ten, as of a leak. */

/** Those who wait for a signal, and how its listener is taken back. */
interface Waiting {
  readonly acts: Set<() => void>;
  release(): void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/** Calls a function once, when the signal is aborted: at once where it is already. The answer ends the waiting. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (!signal || signal.aborted) {
    if (signal) act();
    return () => {};
  }
  const waiting = waitingFor.get(signal) ?? listenTo(signal);
  // Each call counts, even where it is the same function again.
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
    // One who stops waiting meanwhile is called no more.
    for (const act of acts) act();
  };
  const waiting = { acts, release };
  waitingFor.set(signal, waiting);
  signal.addEventListener('abort', tell);
  return waiting;
}
