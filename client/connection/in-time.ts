/** Lets one who waits for what several share wait no longer than they said, while it goes on. */
import { systemClock } from '../clock.js';
import { ConnectionError } from '../errors.js';
import type { RequestOptions } from '../resource/options.js';
import { untilAborted } from './until-aborted.js';

/**
 * The promise's outcome; the signal's reason, or a `ConnectionError` about `what` when the time is over, where that
 * comes first.
 */
export function inTime<T>(promise: Promise<T>, { signal, timeoutMs }: RequestOptions, what: string): Promise<T> {
  const outcome = untilAborted(promise, signal);
  if (timeoutMs === undefined) return outcome;
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new ConnectionError(`no answer to ${what}`, `${timeoutMs} ms are over`));
    const cancel = systemClock.after(timeoutMs, late);
    outcome.then(resolve, reject).finally(cancel);
  });
}
