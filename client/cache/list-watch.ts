/** Lists a collection, watches it from there, and starts again when either ends. */
import { type Clock, sleep, systemClock } from '../clock.js';
import { ApiError, ConnectionError, isConnectionError, isGone } from '../errors.js';
import type { Selection } from '../resource/options.js';
import type { CollectionClient } from '../resource/resource-client.js';
import type { ApiObjectLike, WatchEvent } from '../types.js';
import type { CollectionEvent } from './collection-events.js';
import { Watchdog } from './watchdog.js';

/** Options of `listWatch` and of everything that uses it. */
export interface ListWatchOptions extends Selection {
  /** Ends the loop. */
  readonly signal?: AbortSignal;
  /** Pause before the next attempt after a broken connection, in milliseconds, plus or minus a half. Default: 500. */
  readonly retryDelayMs?: number;
  /** The longest pause, in milliseconds; each failed attempt doubles the pause up to this. Default: 30 000. */
  readonly maxRetryDelayMs?: number;
  /**
   * How often a server sends something in a watch, in milliseconds. Default: 60 000, the interval of bookmarks in
   * Kindforge and Kubernetes. If nothing comes for two of these periods, the client closes the connection.
   */
  readonly heartbeatMs?: number;
  /** Called with each error that does not end the loop. */
  readonly onError?: (error: unknown) => void;
  /** Called with each watch that the server accepts: the first one, and each one after an error. */
  readonly onOpen?: () => void;
  /** Objects per request of a listing. Default: all in one request. */
  readonly limit?: number;
  /** Reads the state from the watch instead of from a list, if the server supports that. It takes less memory. */
  readonly stream?: boolean;
  readonly clock?: Clock;
}

/** The methods of a client that are needed. */
export type Listed<T> = Pick<CollectionClient<T, unknown>, 'list' | 'watch'> &
  Partial<Pick<CollectionClient<T, unknown>, 'streamsLists'>>;

/** Annotations of the bookmark at the end of the initial state. */
const endsOfState = ['k8s.io/initial-events-end', 'platform.io/initial-events-end'];

const isEndOfState = ({ metadata: { annotations = {} } }: ApiObjectLike): boolean =>
  endsOfState.some((name) => annotations[name] === 'true');

/**
 * Returns whether the same request may succeed later: without an answer, with a busy or broken server, or after a lost
 * history.
 */
const isPassing = (error: unknown): boolean =>
  isConnectionError(error) || isGone(error) || (error instanceof ApiError && (error.code >= 500 || error.code === 429));

/** Returns whether a server refuses to send its state in a watch. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 400 || error.code === 422 || error.code === 405);

/**
 * Yields the state of a collection, and then its changes. Yields changes made while the connection was down when it is
 * back, or with the next listing. Ends when the signal is aborted. Throws an `ApiError` if the server refuses and a
 * retry would not help.
 */
export async function* listWatch<T extends ApiObjectLike>(
  client: Listed<T>,
  options: ListWatchOptions = {},
): AsyncGenerator<CollectionEvent<T>, void, undefined> {
  const { signal, retryDelayMs = 500, maxRetryDelayMs = 30_000, onError, clock = systemClock } = options;
  let stream = (options.stream ?? false) && (await streamsLists(client, signal));
  let revision: string | undefined;
  let failures = 0;
  while (!signal?.aborted) {
    const began = clock.monotonicMs();
    try {
      for await (const told of session(client, options, revision, stream, clock)) {
        if (signal?.aborted) return;
        const reached = revisionAfter(told, revision);
        if (reached !== revision) failures = 0;
        revision = reached;
        yield told;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (stream && revision === undefined && isRefused(error)) {
        stream = false;
        continue;
      }
      if (!isPassing(error)) throw error;
      onError?.(error);
      if (isGone(error)) revision = undefined;
      await sleep(delayOf(failures++, retryDelayMs, maxRetryDelayMs), signal, clock);
      continue;
    }
    // Pauses if a server ends every watch at once.
    const delay = delayOf(failures, retryDelayMs, maxRetryDelayMs);
    if (clock.monotonicMs() - began >= delay) continue;
    failures++;
    await sleep(delay, signal, clock);
  }
}

/**
 * Resolves to whether a server sends its state in a watch; to false once the signal is aborted. Asks the server first,
 * because a browser would log a refusal as an error in its console.
 */
async function streamsLists<T>(client: Listed<T>, signal: AbortSignal | undefined): Promise<boolean> {
  const asked = client.streamsLists?.() ?? Promise.resolve(true);
  const listening = new AbortController();
  const aborted = new Promise<boolean>((resolve) => {
    if (signal?.aborted) resolve(false);
    signal?.addEventListener('abort', () => resolve(false), { signal: listening.signal });
  });
  return Promise.race([asked, aborted]).finally(() => listening.abort());
}

/** Returns the revision from which to continue after an event; `undefined` until a listing is complete. */
function revisionAfter<T extends ApiObjectLike>(
  told: CollectionEvent<T>,
  before: string | undefined,
): string | undefined {
  if (told.type === 'begin') return undefined;
  if (told.type === 'listed' || told.type === 'reached') return told.revision;
  return before === undefined ? undefined : (told.object.metadata.resourceVersion ?? before);
}

/** Returns between 0.5 and 1.5 times the pause, so that many clients do not come at once. */
const delayOf = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures, 30), maxMs) * (0.5 + Math.random());

/** Yields events from a state or a revision until the watch ends. */
async function* session<T extends ApiObjectLike>(
  client: Listed<T>,
  options: ListWatchOptions,
  from: string | undefined,
  stream: boolean,
  clock: Clock,
): AsyncGenerator<CollectionEvent<T>, void, undefined> {
  const { labelSelector, fieldSelector, heartbeatMs = 60_000, signal, onOpen } = options;
  const selection = {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const watchdog = (): Watchdog => new Watchdog(2 * heartbeatMs, clock, signal);
  let resourceVersion = from;
  if (from === undefined) {
    yield { type: 'begin' };
    if (!stream) resourceVersion = yield* listing(client, { ...options, ...selection }, watchdog);
  }
  const dog = watchdog();
  const start =
    resourceVersion === undefined
      ? ({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const)
      : { resourceVersion };
  const opened = onOpen === undefined ? {} : { onOpen };
  const events = client.watch({ ...selection, ...start, ...opened, allowWatchBookmarks: true, signal: dog.signal });
  let isState = resourceVersion === undefined;
  for await (const event of dog.each(events)) {
    const told = toTold(event, isState);
    if (told !== undefined) yield told;
    if (told?.type === 'listed') isState = false;
  }
  if (isState) throw new ConnectionError('a watch ended', 'the state was not complete');
}

/** Converts a watch event. Drops bookmarks before the end of the initial state. */
function toTold<T extends ApiObjectLike>(event: WatchEvent<T>, isState: boolean): CollectionEvent<T> | undefined {
  if (event.type === 'DELETED') return { type: 'gone', object: event.object };
  if (event.type !== 'BOOKMARK') return { type: 'object', object: event.object };
  const { resourceVersion: revision = '' } = event.object.metadata;
  if (!isState) return { type: 'reached', revision };
  return isEndOfState(event.object) ? { type: 'listed', revision } : undefined;
}

/** Yields a whole state, chunk after chunk. Returns its revision. */
async function* listing<T extends ApiObjectLike>(
  client: Listed<T>,
  { labelSelector, fieldSelector, limit }: ListWatchOptions,
  watchdog: () => Watchdog,
): AsyncGenerator<CollectionEvent<T>, string, undefined> {
  const selection = {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(limit === undefined ? {} : { limit }),
  };
  const page = async (token?: string) => {
    const dog = watchdog();
    const next = token === undefined ? {} : { continue: token };
    return dog.wait(client.list({ ...selection, ...next, signal: dog.signal })).finally(() => dog.release());
  };
  let list = await page();
  const revision = list.metadata.resourceVersion ?? '0';
  for (;;) {
    for (const object of list.items) yield { type: 'object', object };
    if (!list.metadata.continue) break;
    list = await page(list.metadata.continue);
  }
  yield { type: 'listed', revision };
  return revision;
}
