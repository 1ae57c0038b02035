/** Limits how long one caller waits for shared work. The work itself continues. */
import { systemClock } from '../clock.js';
import { ConnectionError } from '../errors.js';
import type { RequestOptions } from '../resource/options.js';
import { untilAborted } from './until-aborted.js';

/**
 * Resolves as the promise does. Rejects with the signal's reason, or with a `ConnectionError` that names `what` once
 * the time is over.
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
