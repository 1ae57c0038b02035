/** Lets one who waits for something stop waiting while it goes on. */
import { onAbort } from './on-abort.js';

/** The promise's outcome, or the signal's reason where that comes first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(stop);
  });
}
