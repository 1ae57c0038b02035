/** Holds signals that end the process until a step that must not be cut in two is done. */

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isHeld = false;

/**
 * Runs a step to its end. A signal that comes meanwhile ends the process after it, unless the program has a handler of its
 * own. In a worker, which no signal reaches, the step is only run.
 */
export function holdingSignals<T>(step: () => T): T {
  if (!isHeld) {
    isHeld = true;
    for (const signal of ENDING) process.on(signal, end);
    // A signal is heard between this turn of the event loop and the next but one.
    setImmediate(() => setImmediate(letGo));
  }
  return step();
}

function end(signal: NodeJS.Signals): void {
  letGo();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function letGo(): void {
  isHeld = false;
  for (const signal of ENDING) process.off(signal, end);
}
