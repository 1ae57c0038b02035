/** Opens a cache of a collection: one watch that runs until the cache is closed. */
import { type Clock, systemClock } from '../clock.js';
import { onAbort } from '../connection/on-abort.js';
import { fieldTerm } from '../resource/field-terms.js';
import type { CollectionClient } from '../resource/resource-client.js';
import { isEnd, type Write } from '../resource/writes.js';
import type { ApiObjectLike, ListOf } from '../types.js';
import type { ObjectCache } from './cache.js';
import { keyOf } from './collection-events.js';
import { Informer, type InformerOptions } from './informer.js';
import { isLater } from './revisions.js';
import { throwApart } from './throw-apart.js';
import { Watchdog } from './watchdog.js';

/** Options of `openCache`. */
export interface CacheOptions<T extends ApiObjectLike, Index extends string = never>
  extends Omit<InformerOptions<T, Index>, 'client' | 'onError' | 'onThrown'> {
  /** Closes the cache. */
  readonly signal?: AbortSignal;
  /**
   * Called with errors that do not end the cache, and with errors that handlers and index functions throw. Default:
   * ignores the former, and throws the latter as uncaught errors.
   */
  readonly onError?: (error: unknown) => void;
}

/** A running cache. */
export interface OpenCache<T, Index extends string = never> extends ObjectCache<T, Index> {
  /** Ends the watch, and resolves when it has ended. The last state can still be read. */
  close(): Promise<void>;
}

/**
 * The methods of a client that a cache needs. With `onWrite`, each write of the client is in the cache when it
 * resolves.
 */
export type CachedClient<T> = Pick<CollectionClient<T, unknown>, 'list' | 'watch'> &
  Partial<Pick<CollectionClient<T, unknown>, 'onWrite' | 'streamsLists'>>;

/**
 * Opens a cache of the objects that a client lists: all objects of a resource, or of one namespace. The cache reads
 * the state from the watch if the server supports that, and survives broken connections, lost histories and refusals.
 */
export function openCache<T extends ApiObjectLike, Index extends string = never>(
  client: CachedClient<T>,
  { signal, onError: told, ...options }: CacheOptions<T, Index> = {},
): OpenCache<T, Index> {
  const onError = told ?? (() => {});
  const informer = new Informer<T, Index>({ stream: true, ...options, client, onError, onThrown: told ?? throwApart });
  const ending = new AbortController();
  const unfollow = onAbort(signal, () => ending.abort(signal?.reason));
  const stop = noteWrites(client, informer, { ...options, onError, signal: ending.signal });
  const ended = informer.run(ending.signal).finally(() => {
    stop();
    unfollow();
  });
  return Object.assign(informer, {
    close: () => {
      ending.abort();
      return ended;
    },
  });
}

/** Brings the writes of a client into an informer. The returned function stops this. */
export function noteWrites<T extends ApiObjectLike, Index extends string>(
  client: CachedClient<T>,
  informer: Informer<T, Index>,
  options: Omit<CacheOptions<T, Index>, 'onError' | 'signal'> & {
    readonly onError: (error: unknown) => void;
    readonly signal: AbortSignal;
  },
): () => void {
  const { clock = systemClock, heartbeatMs = 60_000, labelSelector, fieldSelector, onError, signal } = options;
  const selection = {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const written = { informer, client, ...selection, clock, silenceMs: 2 * heartbeatMs, signal, onError };
  // Checks nothing: the client reads and writes one version, so an object of that version has its type.
  const isKept = (_object: ApiObjectLike): _object is T => true;
  const stop = client.onWrite?.((write) => takeInWrite(write, written, isKept));
  return () => stop?.();
}

/** How long to wait for the watch to show a write before asking the server, milliseconds. */
const patienceMs = 250;

/** Objects per request of a listing. */
const chunk = 500;

interface WrittenOptions<T extends ApiObjectLike> {
  readonly informer: Informer<T>;
  readonly client: Pick<CollectionClient<T, unknown>, 'list'>;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly clock: Clock;
  /** How long to wait for an answer, milliseconds. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Brings one write into the informer. Never rejects, because the write itself has succeeded. */
async function takeInWrite<T extends ApiObjectLike>(
  write: Write,
  options: WrittenOptions<T>,
  isKept: (object: ApiObjectLike) => object is T,
): Promise<void> {
  const { informer, labelSelector, fieldSelector, onError } = options;
  try {
    if (write.name === undefined) return await askForAll(write.namespace, options);
    const { object } = write;
    const isAll = labelSelector === undefined && fieldSelector === undefined;
    if (object !== undefined && isAll && !isEnd(object) && isKept(object)) return informer.learn(object);
    if (!(await isShown(write, options))) await askForOne(write.name, write.namespace, options);
  } catch (error) {
    if (!options.signal.aborted) onError(error);
  }
}

const keyOfWrite = ({ namespace, name = '' }: Write): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Resolves to whether the watch soon shows a write to an object in the cache. */
async function isShown<T extends ApiObjectLike>(
  write: Write,
  { informer, clock }: WrittenOptions<T>,
): Promise<boolean> {
  const key = keyOfWrite(write);
  const before = informer.get(key);
  const revision = write.object?.metadata.resourceVersion;
  if (before === undefined || (write.kind === 'write' && revision === undefined)) return false;
  const isThere = (): boolean => {
    const now = informer.get(key);
    if (now === undefined || now.metadata.uid !== before.metadata.uid) return true;
    if (write.kind === 'delete') return now.metadata.deletionTimestamp !== undefined && !isEnd(now);
    return now.metadata.resourceVersion === revision || isLater(now.metadata.resourceVersion, revision);
  };
  if (isThere()) return true;
  return new Promise((resolve) => {
    const end = (shown: boolean): void => {
      cancel();
      stop();
      resolve(shown);
    };
    const cancel = clock.after(patienceMs, () => end(false));
    const stop = informer.onChange(
      ({ object }) => {
        if (keyOf(object) === key && isThere()) end(true);
      },
      { fromNow: true },
    );
  });
}

/** Lists one object by name with the selectors of the cache: they may not select an existing object. */
async function askForOne<T extends ApiObjectLike>(
  name: string,
  namespace: string | undefined,
  options: WrittenOptions<T>,
): Promise<void> {
  const list = await ask([fieldTerm('metadata.name', name), ...placeOf(namespace)], undefined, options);
  for (const object of list.items) options.informer.learn(object);
  if (list.items.length > 0) return;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  options.informer.learnAbsent(key, list.metadata.resourceVersion ?? '0');
}

/** Lists all objects of a namespace, or of all namespaces, after a delete of several objects. */
async function askForAll<T extends ApiObjectLike>(
  namespace: string | undefined,
  options: WrittenOptions<T>,
): Promise<void> {
  const { informer } = options;
  const found = new Set<string>();
  let list = await ask(placeOf(namespace), undefined, options);
  const revision = list.metadata.resourceVersion ?? '0';
  for (;;) {
    for (const object of list.items) {
      found.add(keyOf(object));
      informer.learn(object);
    }
    if (!list.metadata.continue) break;
    list = await ask(placeOf(namespace), list.metadata.continue, options);
  }
  for (const object of [...informer.values()]) {
    const isHere = namespace === undefined || object.metadata.namespace === namespace;
    if (isHere && !found.has(keyOf(object))) informer.learnAbsent(keyOf(object), revision);
  }
}

const placeOf = (namespace: string | undefined): string[] =>
  namespace === undefined ? [] : [fieldTerm('metadata.namespace', namespace)];

async function ask<T extends ApiObjectLike>(
  fields: readonly string[],
  token: string | undefined,
  { client, labelSelector, fieldSelector, silenceMs, clock, signal }: WrittenOptions<T>,
): Promise<ListOf<T>> {
  const dog = new Watchdog(silenceMs, clock, signal);
  const fieldTerms = [...(fieldSelector === undefined ? [] : [fieldSelector]), ...fields];
  const request = client.list({
    limit: chunk,
    signal: dog.signal,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldTerms.length === 0 ? {} : { fieldSelector: fieldTerms.join(',') }),
    ...(token === undefined ? {} : { continue: token }),
  });
  return dog.wait(request).finally(() => dog.release());
}
