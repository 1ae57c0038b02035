/** Waits until something is true of an object. */
import { follow } from '../cache/follow.js';
import type { Listed, ListWatchOptions } from '../cache/list-watch.js';
import { type Clock, systemClock } from '../clock.js';
import { onAbort } from '../connection/on-abort.js';
import { isOfClass } from '../errors.js';
import type { ApiObjectLike } from '../types.js';
import { hasCondition } from './conditions.js';

/** How long to wait, and how. */
export interface WaitOptions extends Omit<ListWatchOptions, 'labelSelector' | 'fieldSelector' | 'limit' | 'stream'> {
  /** Milliseconds after which the wait is given up; without end where not given. */
  readonly timeoutMs?: number;
}

const timeoutMark = Symbol.for('kindforge.WaitTimeoutError');

/** A wait that was given up because its time was over. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
  /** The object as it was last known; none where it was not there. */
  readonly last: ApiObjectLike | undefined;

  constructor(object: string, timeoutMs: number, last: ApiObjectLike | undefined) {
    super(`${object} was not as awaited within ${timeoutMs} ms`);
    this.last = last;
  }

  /** Whether a value is such an error, also one of another copy of the SDK. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a derived class asks for its own.
    return isOfClass(value, this, WaitTimeoutError, timeoutMark);
  }

  /** @internal */
  get [timeoutMark](): true {
    return true;
  }
}

/** The object once it meets a condition. Throws as its requests do, the signal's reason, or a `WaitTimeoutError`. */
export async function until<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  condition: (object: T) => boolean,
  options: WaitOptions = {},
): Promise<T> {
  const met = await untilState(client, name, (object) => object !== undefined && condition(object), options);
  if (met === undefined) throw new TypeError('the condition holds of no object');
  return met;
}

/** Resolves when there is no object of a name, or another than the one of `uid`. */
export async function deleted<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  { uid, ...options }: WaitOptions & { readonly uid?: string } = {},
): Promise<void> {
  const isGone = (object: T | undefined): boolean =>
    object === undefined || (uid !== undefined && object.metadata.uid !== uid);
  await untilState(client, name, isGone, options);
}

/**
 * The object once a condition of its status is true of the object as it is wanted now: `Ready`, or another by
 * `condition`, as in `Available` for deployments.
 */
export async function ready<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  { condition = 'Ready', ...options }: WaitOptions & { readonly condition?: string } = {},
): Promise<T> {
  return until(client, name, (object) => hasCondition(object, condition), options);
}

async function untilState<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  isMet: (object: T | undefined) => boolean,
  { timeoutMs, signal, ...options }: WaitOptions,
): Promise<T | undefined> {
  signal?.throwIfAborted();
  const limit = timeLimit(timeoutMs, signal, options.clock ?? systemClock);
  let last: T | undefined;
  let isKnown = false;
  try {
    const following = { ...options, signal: limit.signal, fieldSelector: `metadata.name=${name}` };
    for await (const change of follow(client, following)) {
      if (change.type === 'synced') isKnown = true;
      else last = change.type === 'removed' ? undefined : change.object;
      if ((isKnown || last !== undefined) && isMet(last)) return last;
    }
  } finally {
    limit.clear();
  }
  signal?.throwIfAborted();
  throw new WaitTimeoutError(name, timeoutMs ?? 0, last);
}

/** A signal that comes with another one, or when the time is over. */
function timeLimit(
  timeoutMs: number | undefined,
  signal: AbortSignal | undefined,
  clock: Clock,
): { readonly signal: AbortSignal; clear(): void } {
  const ending = new AbortController();
  const unfollow = onAbort(signal, () => ending.abort(signal?.reason));
  const cancel = timeoutMs === undefined ? () => {} : clock.after(timeoutMs, () => ending.abort());
  return {
    signal: ending.signal,
    clear: () => {
      unfollow();
      cancel();
      ending.abort();
    },
  };
}
