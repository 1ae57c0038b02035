/** Watches a collection once, keeps its state, and reports its changes to handlers. */
import { sleep, systemClock } from '../clock.js';
import type { ApiObjectLike } from '../types.js';
import type { CacheSelection, ObjectCache } from './cache.js';
import type { ObjectChange } from './collection-events.js';
import { readLabelSelector } from './label-selector.js';
import { type Listed, type ListWatchOptions, listWatch } from './list-watch.js';
import { ObjectIndex, type ValuesOf } from './object-index.js';
import { ObjectState } from './object-state.js';

export interface InformerOptions<T extends ApiObjectLike = ApiObjectLike, Index extends string = string>
  extends Omit<ListWatchOptions, 'signal' | 'onError'> {
  readonly client: Listed<T>;
  /** Converts each object before it is kept. It must keep the name, namespace, uid and resourceVersion. */
  readonly keep?: (object: T) => T;
  readonly indexes?: Readonly<Record<Index, ValuesOf<T>>>;
  /** Called with each error that does not end the informer. */
  readonly onError: (error: unknown) => void;
  /** Called with errors that handlers and index functions throw. Default: `onError`. */
  readonly onThrown?: (error: unknown) => void;
}

/** The number of changes after which other tasks of the event loop run. */
const turn = 500;

/** Pause before the next request for a collection that the server refused, in milliseconds. */
const refusedMs = 2000;

const compareKeys = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : Number(a > b);

/** A collection that is kept up to date here, with its indexes. */
export class Informer<T extends ApiObjectLike = ApiObjectLike, Index extends string = string>
  implements ObjectCache<T, Index>
{
  readonly #options: InformerOptions<T, Index>;
  readonly #state: ObjectState<T>;
  readonly #indexes: ReadonlyMap<string, ObjectIndex<T>>;
  readonly #onThrown: (error: unknown) => void;
  readonly #handlers = new Set<(change: ObjectChange<T>) => void>();
  #isSynced = false;
  #version = 0;
  #tellSynced = (): void => {};
  #giveUp = (_reason: unknown): void => {};
  readonly synced: Promise<void>;

  constructor(options: InformerOptions<T, Index>) {
    this.#options = options;
    this.#onThrown = options.onThrown ?? options.onError;
    this.#state = new ObjectState(options.keep);
    const indexes = Object.entries<ValuesOf<T>>(options.indexes ?? {});
    this.#indexes = new Map(indexes.map(([name, valuesOf]) => [name, new ObjectIndex(valuesOf, this.#onThrown)]));
    this.synced = new Promise((resolve, reject) => {
      this.#tellSynced = resolve;
      this.#giveUp = reject;
    });
    // Nobody needs to wait for it.
    this.synced.catch(() => {});
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#state.objects.size;
  }

  get(key: string): T | undefined {
    return this.#state.objects.get(key);
  }

  values(): Iterable<T> {
    return this.#state.objects.values();
  }

  list({ namespace, labelSelector = '' }: CacheSelection = {}): T[] {
    const matches = typeof labelSelector === 'string' ? readLabelSelector(labelSelector) : labelSelector;
    const isMeant = ({ metadata }: T): boolean =>
      (namespace === undefined || metadata.namespace === namespace) && matches(metadata.labels ?? {});
    const found = [...this.#state.objects].filter(([, object]) => isMeant(object));
    return found.sort(compareKeys).map(([, object]) => object);
  }

  byIndex(index: Index, value: string): T[] {
    const found = this.#indexes.get(index);
    if (found === undefined) throw new TypeError(`the cache has no index ${index}`);
    return found.find(value);
  }

  onChange(handler: (change: ObjectChange<T>) => void, { fromNow = false } = {}): () => void {
    // Calls a handler twice if it was added twice.
    const own = (change: ObjectChange<T>): void => handler(change);
    if (!fromNow) for (const object of this.#state.objects.values()) this.#call(own, { type: 'added', object });
    this.#handlers.add(own);
    return () => void this.#handlers.delete(own);
  }

  /** Adds an object from the answer to a request, unless the watch has already reported it. */
  learn(object: T): void {
    this.#tell(this.#state.learn(object));
  }

  /** Records that no object had this key at a revision. */
  learnAbsent(key: string, revision: string): void {
    this.#tell(this.#state.learnAbsent(key, revision));
  }

  /** Runs until the signal is aborted. Retries a collection that the server refuses after a pause. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock = systemClock, onError } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) break;
        onError(error);
        await sleep(refusedMs, signal, clock);
      }
    }
    this.#giveUp(signal.reason);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { client, keep: _keep, indexes: _indexes, onThrown: _onThrown, ...options } = this.#options;
    let told = 0;
    for await (const one of listWatch(client, { ...options, signal })) {
      this.#tell(this.#state.apply(one));
      if (one.type === 'listed') {
        if (!this.#isSynced) this.#version++;
        this.#isSynced = true;
        this.#tellSynced();
      }
      // Lets a server in the same process answer other requests.
      if (++told % turn === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  #tell(changes: Iterable<ObjectChange<T>>): void {
    for (const change of changes) {
      this.#version++;
      for (const index of this.#indexes.values()) index.note(change);
      for (const handler of this.#handlers) this.#call(handler, change);
    }
  }

  /** Calls a handler. If it throws, the other handlers are still called. */
  #call(handler: (change: ObjectChange<T>) => void, change: ObjectChange<T>): void {
    try {
      handler(change);
    } catch (error) {
      this.#onThrown(error);
    }
  }
}
