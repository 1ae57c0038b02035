/** Lists a collection, watches it from there, and starts again by itself when either ends. */
import { type Clock, sleep, systemClock } from '../clock.js';
import { ApiError, ConnectionError, isConnectionError, isGone } from '../errors.js';
import type { Selection } from '../resource/options.js';
import type { CollectionClient } from '../resource/resource-client.js';
import type { ApiObjectLike, WatchEvent } from '../types.js';
import type { Told } from './told.js';
import { Watchdog } from './watchdog.js';

/** How a collection is followed. */
export interface ListWatchOptions extends Selection {
  /** Ends the following. */
  readonly signal?: AbortSignal;
  /** Pause before starting again after a broken connection, milliseconds, give or take a half; 500 where not given. */
  readonly retryDelayMs?: number;
  /** The pause doubles with each attempt that gets nowhere, up to this; 30 000 where not given. */
  readonly maxRetryDelayMs?: number;
  /**
   * How often a server gives a sign of life in a watch, milliseconds; 60 000 where not given, which is how often
   * Kindforge and Kubernetes send bookmarks. After two of these without any, the connection is given up.
   */
  readonly heartbeatMs?: number;
  /** Told of each error after which the following goes on. */
  readonly onError?: (error: unknown) => void;
  /** Objects per request of a listing; all at once where not given. */
  readonly limit?: number;
  /** Has the watch begin with the state, where the server offers that, in place of a list: it takes less memory. */
  readonly stream?: boolean;
  readonly clock?: Clock;
}

/** The requests that are needed. */
export type Listed<T> = Pick<CollectionClient<T, unknown>, 'list' | 'watch'>;

/** Annotations by which a bookmark says that the state ends with it. */
const endsOfState = ['k8s.io/initial-events-end', 'platform.io/initial-events-end'];

const isEndOfState = ({ metadata: { annotations = {} } }: ApiObjectLike): boolean =>
  endsOfState.some((name) => annotations[name] === 'true');

/** Whether an error may be over when asked again: no answer, a busy or broken server, a history that is gone. */
const isPassing = (error: unknown): boolean =>
  isConnectionError(error) || isGone(error) || (error instanceof ApiError && (error.code >= 500 || error.code === 429));

/** Whether a server says that it does not send its state in a watch. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 400 || error.code === 422 || error.code === 405);

/**
 * Ends when the signal says so; throws `ApiError` where the server refuses for a reason that will not pass by itself.
 * Changes made while the connection was down are told when it is back, or with the next listing.
 */
export async function* listWatch<T extends ApiObjectLike>(
  client: Listed<T>,
  options: ListWatchOptions = {},
): AsyncGenerator<Told<T>, void, undefined> {
  const { signal, retryDelayMs = 500, maxRetryDelayMs = 30_000, onError, clock = systemClock } = options;
  let stream = options.stream ?? false;
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
    // A server that ends every watch at once is not asked again at once.
    const delay = delayOf(failures, retryDelayMs, maxRetryDelayMs);
    if (clock.monotonicMs() - began >= delay) continue;
    failures++;
    await sleep(delay, signal, clock);
  }
}

/** Where the following goes on from after something was told; nowhere in the middle of a state. */
function revisionAfter<T extends ApiObjectLike>(told: Told<T>, before: string | undefined): string | undefined {
  if (told.type === 'begin') return undefined;
  if (told.type === 'listed' || told.type === 'reached') return told.revision;
  return before === undefined ? undefined : (told.object.metadata.resourceVersion ?? before);
}

/** Between a half and one and a half of the pause, so that many clients do not come at once. */
const delayOf = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures, 30), maxMs) * (0.5 + Math.random());

/** One way from a state or a revision on, until the watch ends. */
async function* session<T extends ApiObjectLike>(
  client: Listed<T>,
  options: ListWatchOptions,
  from: string | undefined,
  stream: boolean,
  clock: Clock,
): AsyncGenerator<Told<T>, void, undefined> {
  const { labelSelector, fieldSelector, heartbeatMs = 60_000, signal } = options;
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
  const events = client.watch({ ...selection, ...start, allowWatchBookmarks: true, signal: dog.signal });
  let isState = resourceVersion === undefined;
  for await (const event of dog.each(events)) {
    const told = toTold(event, isState);
    if (told !== undefined) yield told;
    if (told?.type === 'listed') isState = false;
  }
  if (isState) throw new ConnectionError('a watch ended', 'the state was not complete');
}

/** Bookmarks in the middle of a state say nothing. */
function toTold<T extends ApiObjectLike>(event: WatchEvent<T>, isState: boolean): Told<T> | undefined {
  if (event.type === 'DELETED') return { type: 'gone', object: event.object };
  if (event.type !== 'BOOKMARK') return { type: 'object', object: event.object };
  const { resourceVersion: revision = '' } = event.object.metadata;
  if (!isState) return { type: 'reached', revision };
  return isEndOfState(event.object) ? { type: 'listed', revision } : undefined;
}

/** Tells a whole state, chunk after chunk; returns its revision. */
async function* listing<T extends ApiObjectLike>(
  client: Listed<T>,
  { labelSelector, fieldSelector, limit }: ListWatchOptions,
  watchdog: () => Watchdog,
): AsyncGenerator<Told<T>, string, undefined> {
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
