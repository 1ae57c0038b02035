/** Waits until something is true of an object. */
import { type FollowOptions, follow } from './cache/follow.js';
import type { Listed, ListWatchOptions } from './cache/list-watch.js';
import { type Clock, systemClock } from './clock.js';
import { onAbort } from './connection/on-abort.js';
import { isOfClass } from './errors.js';
import { fieldTerm } from './resource/field-terms.js';
import type { ApiObjectLike } from './types.js';
import { conditionOf, hasCondition } from './wait-conditions.js';

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

  /** `because` is what is known about why; `cause` what kept the wait from being told more. */
  constructor(object: string, timeoutMs: number, last: ApiObjectLike | undefined, because = '', cause?: unknown) {
    super(
      `${object} was not as awaited within ${timeoutMs} ms${because && `: ${because}`}`,
      cause === undefined ? {} : { cause },
    );
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

/**
 * The object once it meets a condition; of a client of all namespaces, the first that does. Throws as its requests do, the
 * signal's reason, or a `WaitTimeoutError`.
 */
export async function until<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  condition: (object: T) => boolean,
  options: WaitOptions = {},
): Promise<T> {
  return waitFor(client, name, (objects) => objects.find((object) => condition(object)), options);
}

/** Resolves when there is no object of a name, or another than the one of `uid`. */
export async function deleted<T extends ApiObjectLike>(
  client: Listed<T>,
  name: string,
  { uid, ...options }: WaitOptions & { readonly uid?: string } = {},
): Promise<void> {
  const isMeant = ({ metadata }: T): boolean => uid === undefined || metadata.uid === uid;
  await waitFor(client, name, (objects, isWhole) => (isWhole && !objects.some(isMeant)) || undefined, options);
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
 * Resolves to the first result of `find` for the objects of a name. It is asked after each change, also while the state is
 * not whole yet. `describe` says of an object why it is not as awaited.
 */
async function waitFor<T extends ApiObjectLike, R>(
  client: Listed<T>,
  name: string,
  find: (objects: readonly T[], isWhole: boolean) => R | undefined,
  { timeoutMs, signal, onError, ...options }: WaitOptions,
  describe: (object: T) => string = () => 'it is there',
): Promise<R> {
  if (name === '') throw new TypeError('"" is no name to wait for');
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
  const because = failure !== undefined ? messageOf(failure) : last === undefined ? 'it is not there' : describe(last);
  throw new WaitTimeoutError(name, timeoutMs ?? 0, last, because, failure);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A condition in words, with the reason that the status gives. */
function stateOf(object: ApiObjectLike, type: string): string {
  const condition = conditionOf(object, type);
  if (condition === undefined) return `its status has no condition ${type}`;
  if (condition.status === 'True') return `its condition ${type} is about an earlier spec`;
  const details = [condition.reason, condition.message].filter(Boolean).join(', ');
  return `its condition ${type} is ${condition.status}${details && ` (${details})`}`;
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
