/** Makes a controller from its watches and its work for one key. */
import {
  type ApiObjectLike,
  type Cache,
  type ClientOptions,
  type Clock,
  createResourceClient,
  type DynamicClient,
  eventRecorder,
  type Informer,
  type Informers,
  isConflict,
  type NewEvent,
  type OpenInformer,
  type ResourceDescriptor,
  sleep,
} from '../../client/index.js';
import type { Controller, ControllerParts } from '../controller.js';
import { allowListeners } from './allow-listeners.js';
import { type CacheOf, type ResourceOf, typed } from './cache.js';
import type { Watch } from './watch.js';
import { type RetryLimits, WorkQueue } from './work-queue.js';

/** The parts that a running controller works with. */
export interface ControllerContext {
  /** Its requests end with `signal`, unless they have a signal of their own. */
  readonly client: ClientOptions;
  /** Returns the client of a resource. */
  readonly clientOf: ClientOfResources;
  /** Returns the objects of a resource among `watches`, without a request. */
  readonly cacheOf: CacheOf;
  /**
   * Records an event about an object, from the controller. If it has recorded the same event before, increments its
   * count. Reports a refusal of the server. Never rejects.
   */
  readonly recordEvent: (object: ApiObjectLike, event: NewEvent) => Promise<void>;
  readonly queue: Pick<WorkQueue, 'add' | 'addAfter'>;
  readonly informers: Informers;
  readonly clock: Clock;
  /** Ends requests a while after the controller stops. */
  readonly signal: AbortSignal;
  readonly onError: ControllerParts['onError'];
}

/** Makes the client of a resource. */
export type ClientOfResources = <T extends ApiObjectLike, A, S extends string, TStatus>(
  resource: ResourceDescriptor<T, A, 'Cluster' | 'Namespaced', S, TStatus>,
) => DynamicClient<T, A, S, TStatus>;

/** The result of a reconcile that asks for another reconcile later. */
export interface Requeue {
  readonly requeueAfterMs: number;
}

/** The result of a reconcile. Most return nothing, always or on some paths. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a result has this type.
export type Reconciled = Requeue | void;

/** Returns a result of `reconcile` that adds the same key again after a time, milliseconds. */
export const requeueAfter = (ms: number): Requeue => ({ requeueAfterMs: ms });

export interface ControllerDefinition {
  readonly name: string;
  /** The source of its events. Default: `name`. */
  readonly component?: string;
  readonly watches: readonly Watch[];
  /** Keys in flight at the same time; never the same key twice. Default: 1. */
  readonly workers?: number;
  /** Limits of retries. Default: delays of 5 ms to 1,000 s, and 10 retries per second after a burst of 100. */
  readonly retries?: RetryLimits;
  /**
   * Makes the world match the objects of a key, whatever has changed. If it rejects, the key is retried after a growing
   * delay. A conflict is not reported, because another client was just faster. May return `requeueAfter`.
   */
  reconcile(key: string, context: ControllerContext): Promise<Reconciled>;
  /** Runs beside the watches until the signal is aborted, for example to add keys for other reasons. */
  beside?(context: ControllerContext): Promise<void>;
}

/** How long reconciles in flight may continue after the controller stops, milliseconds. */
const graceMs = 5000;

/** Defines a controller. It keeps no state between two runs. */
export const defineController = (definition: ControllerDefinition): Controller => ({
  name: definition.name,
  follows: definition.watches.map(({ resource: { group, version, plural } }) => ({ group, version, plural })),
  run: (parts) => runDefined(definition, parts),
});

async function runDefined(definition: ControllerDefinition, parts: ControllerParts): Promise<void> {
  const { signal, informers, clock, metrics, client, onError, onReady } = parts;
  const queue = new WorkQueue({ ...definition.retries, clock, metrics });
  const ending = new AbortController();
  const lateEnd = lateSignal(signal, clock);
  const opened = definition.watches.map((one) => ({ watch: one, ...informers.open(one.resource, one) }));
  const bound: ClientOptions = { ...client, signal: lateEnd.signal };
  const context: ControllerContext = {
    client: bound,
    clientOf: (resource) => createResourceClient(resource, bound),
    cacheOf: cachesOf(opened),
    recordEvent: reportingRecorder(definition, bound, parts),
    queue,
    informers,
    clock,
    signal: lateEnd.signal,
    onError,
  };
  const stop = (): void => queue.close();
  signal.addEventListener('abort', stop);
  try {
    if (signal.aborted) return;
    if (!(await allSynced(opened, signal))) return;
    const unsubscribe = opened.map(({ watch, informer }) => subscribe(watch, informer, context));
    onReady();
    const besides = AbortSignal.any([signal, ending.signal]);
    allowListeners(besides);
    const running = [
      definition.beside?.({ ...context, signal: besides }),
      ...workers(definition, context, queue, signal),
    ];
    try {
      await Promise.all(running);
    } finally {
      for (const end of unsubscribe) end();
      queue.close();
      ending.abort();
      await Promise.allSettled(running);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    queue.close();
    lateEnd.clear();
    for (const { close } of opened) close();
  }
}

function reportingRecorder(
  { name, component = name }: ControllerDefinition,
  client: ClientOptions,
  { clock, onError }: ControllerParts,
): ControllerContext['recordEvent'] {
  const record = eventRecorder(client, { component, clock });
  return (object, event) =>
    record(object, event).catch((error: unknown) => {
      if (!client.signal?.aborted) onError(`event about ${object.kind} ${object.metadata.name}`, error);
    });
}

type Opened = OpenInformer & { readonly watch: Watch };

const sameResource = (a: ResourceDescriptor, b: ResourceDescriptor): boolean =>
  a.group === b.group && a.version === b.version && a.plural === b.plural;

const cachesOf =
  (opened: readonly Opened[]): CacheOf =>
  <T extends ApiObjectLike>(resource: ResourceOf<T>): Cache<T> => {
    const found = opened.find(({ watch }) => sameResource(watch.resource, resource));
    if (found === undefined) throw new TypeError(`${resource.plural} is not among the watches of the controller`);
    return typed(found.informer, resource);
  };

/** Resolves to `false` if the signal is aborted first. */
async function allSynced(opened: readonly Opened[], signal: AbortSignal): Promise<boolean> {
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([Promise.all(opened.map(({ informer }) => informer.synced)), ended]);
  return !signal.aborted;
}

function subscribe(watch: Watch, informer: Informer, { queue, cacheOf }: ControllerContext): () => void {
  return informer.onChange((change) => {
    if (watch.when?.(change) === false) return;
    const states = change.type === 'changed' ? [change.before, change.object] : [change.object];
    // A worker may take a key at once, so adding it twice would reconcile it twice.
    for (const key of new Set(states.flatMap((state) => [...watch.keysOf(state, cacheOf)]))) queue.add(key);
  });
}

const workers = (
  definition: ControllerDefinition,
  context: ControllerContext,
  queue: WorkQueue,
  signal: AbortSignal,
): Promise<void>[] =>
  Array.from({ length: definition.workers ?? 1 }, async () => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      try {
        const result = await definition.reconcile(key, context);
        queue.forget(key);
        if (result) queue.addAfter(key, result.requeueAfterMs);
      } catch (error) {
        if (!signal.aborted) fail(key, error, queue, context);
      } finally {
        queue.done(key);
      }
    }
  });

function fail(key: string, error: unknown, queue: WorkQueue, { onError }: ControllerContext): void {
  if (!isConflict(error)) onError(key, error);
  queue.addFailed(key);
}

/** Returns a signal that is aborted `graceMs` after another one. */
function lateSignal(signal: AbortSignal, clock: Clock): { readonly signal: AbortSignal; clear(): void } {
  const late = new AbortController();
  // A controller may have a request of every kind in flight.
  allowListeners(late.signal);
  const cleared = new AbortController();
  /** Aborts the late signal after the grace period. Never rejects. */
  const follow = async (): Promise<void> => {
    await sleep(graceMs, cleared.signal, clock);
    late.abort(signal.reason);
  };
  const begin = (): void => void follow();
  if (signal.aborted) late.abort(signal.reason);
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: late.signal,
    clear: () => {
      signal.removeEventListener('abort', begin);
      cleared.abort();
    },
  };
}
