/** Waits until an object meets a condition. */
import { type FollowOptions, follow } from './cache/follow.js';
import type { Listed, ListWatchOptions } from './cache/list-watch.js';
import { type Clock, systemClock } from './clock.js';
import { conditionOf, hasCondition } from './conditions.js';
import { onAbort } from './connection/on-abort.js';
import { isOfClass } from './errors.js';
import { fieldTerm } from './resource/field-terms.js';
import type { ApiObjectLike } from './types.js';

/** How to watch, and how long to wait. */
export interface WaitOptions extends Omit<ListWatchOptions, 'labelSelector' | 'fieldSelector' | 'limit' | 'stream'> {
  /** Milliseconds after which the wait fails. Default: never. */
  readonly timeoutMs?: number;
}

const timeoutMark = Symbol.for('kindforge.WaitTimeoutError');

/** Thrown when the time of a wait is over. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
  /** The last known object; `undefined` if it did not exist. */
  readonly last: ApiObjectLike | undefined;

  /** `because` is the reason, if known. `cause` is an error that stopped the events. */
  constructor(object: string, timeoutMs: number, last: ApiObjectLike | undefined, because = '', cause?: unknown) {
    super(
      `waiting for ${object} took longer than ${timeoutMs} ms${because && `: ${because}`}`,
      cause === undefined ? {} : { cause },
    );
    this.last = last;
  }

  /** Returns whether a value is such an error, even from another copy of the SDK. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a derived class, this is that class.
    return isOfClass(value, this, WaitTimeoutError, timeoutMark);
  }

  /** @internal */
  get [timeoutMark](): true {
    return true;
  }
}

/**
 * Resolves to the object once it meets a condition. With a client for all namespaces, resolves to the first such
 * object. Rejects with the error of a request, the signal's reason, or a `WaitTimeoutError`.
 */
export async function until<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  condition: (object: T) => boolean,
  options: WaitOptions = {},
): Promise<T> {
  return waitFor(client, name, (objects) => objects.find((object) => condition(object)), options);
}

/** Resolves when no object has the name, or only an object with another uid than `uid`. */
export async function deleted<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  { uid, ...options }: WaitOptions & { readonly uid?: string } = {},
): Promise<void> {
  const isMeant = ({ metadata }: T): boolean => uid === undefined || metadata.uid === uid;
  await waitFor(client, name, (objects, isWhole) => (isWhole && !objects.some(isMeant)) || undefined, options);
}

/**
 * Resolves to the object once a condition of its status is true for its current generation: `Ready`, or the one in
 * `condition`, such as `Available` for deployments.
 */
export async function ready<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  { condition = 'Ready', ...options }: WaitOptions & { readonly condition?: string } = {},
): Promise<T> {
  const isReady = (object: T): boolean => hasCondition(object, condition);
  return waitFor(
    client,
    name,
    (objects) => objects.find(isReady),
    options,
    (object) => stateOf(object, condition),
  );
}

/**
 * Resolves to the first result of `find` for the objects with a name. Calls it after each change, even before the state
 * is complete. `describe` returns why an object does not meet the condition.
 */
async function waitFor<T extends ApiObjectLike, R>(
  client: Listed<T>,
  name: string,
  find: (objects: readonly T[], isWhole: boolean) => R | undefined,
  { timeoutMs, signal, onError, ...options }: WaitOptions,
  describe: (object: T) => string = () => 'it exists',
): Promise<R> {
  if (name === '') throw new TypeError('"" is not a name to wait for');
  signal?.throwIfAborted();
  const limit = timeLimit(timeoutMs, signal, options.clock ?? systemClock);
  const state = new Map<string, T>();
  let isWhole = false;
  let failure: unknown;
  const following: FollowOptions<T> = {
    ...options,
    state,
    signal: limit.signal,
    fieldSelector: fieldTerm('metadata.name', name),
    onError: (error) => {
      failure = error;
      onError?.(error);
    },
  };
  try {
    for await (const change of follow(client, following)) {
      failure = undefined;
      isWhole ||= change.type === 'synced';
      const found = find([...state.values()], isWhole);
      if (found !== undefined) return found;
    }
  } finally {
    limit.clear();
  }
  signal?.throwIfAborted();
  const [last] = state.values();
  const because =
    failure !== undefined ? messageOf(failure) : last === undefined ? 'it does not exist' : describe(last);
  throw new WaitTimeoutError(name, timeoutMs ?? 0, last, because, failure);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns a condition in words, with the reason in the status. */
function stateOf(object: ApiObjectLike, type: string): string {
  const condition = conditionOf(object, type);
  if (condition === undefined) return `its status has no condition ${type}`;
  if (condition.status === 'True') return `its condition ${type} is about an earlier spec`;
  const details = [condition.reason, condition.message].filter(Boolean).join(', ');
  return `its condition ${type} is ${condition.status}${details && ` (${details})`}`;
}

/** Returns a signal that is aborted with another signal, or when the time is over. */
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
