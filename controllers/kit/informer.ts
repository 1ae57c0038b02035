/** One watch of a collection, the state that it has told so far, and those who are told of its changes. */
import {
  type ApiObjectLike,
  type Change,
  type CollectionClient,
  type FollowOptions,
  follow,
  type Selection,
} from '../../client/index.js';
import type { Cache } from './cache.js';
import { type Clock, systemClock } from './clock.js';
import { sleep } from './sleep.js';

/** A change of one object. */
export type ObjectChange = Exclude<Change<ApiObjectLike>, { readonly type: 'synced' }>;

export interface InformerOptions {
  readonly client: Pick<CollectionClient<ApiObjectLike, unknown>, 'list' | 'watch'>;
  readonly selection?: Selection;
  readonly keep?: FollowOptions<ApiObjectLike>['keep'];
  readonly clock?: Clock;
  /** Told of what the informer survives. */
  readonly onError: (error: unknown) => void;
}

/** Objects of a listing that are asked for at once, and after which others have their turn. */
const chunk = 500;

/** Pause before a collection that the server refused is asked for again, milliseconds. */
const refusedMs = 2000;

export class Informer implements Cache<ApiObjectLike> {
  readonly #options: InformerOptions;
  readonly #state = new Map<string, ApiObjectLike>();
  readonly #handlers = new Set<(change: ObjectChange) => void>();
  #isSynced = false;
  #tellSynced = (): void => {};
  /** Resolves when the state has been told once. */
  readonly synced: Promise<void>;

  constructor(options: InformerOptions) {
    this.#options = options;
    this.synced = new Promise((resolve) => (this.#tellSynced = resolve));
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  get size(): number {
    return this.#state.size;
  }

  get(key: string): ApiObjectLike | undefined {
    return this.#state.get(key);
  }

  values(): Iterable<ApiObjectLike> {
    return this.#state.values();
  }

  /** Tells a handler what is there as added, and then of every change; the answer ends that. */
  subscribe(handler: (change: ObjectChange) => void): () => void {
    for (const object of this.#state.values()) handler({ type: 'added', object });
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** Runs until the signal ends it; a collection that is refused is asked for again later. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock = systemClock, onError } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await sleep(refusedMs, signal, clock);
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { client, selection, keep, onError } = this.#options;
    const kept = keep === undefined ? {} : { keep };
    const options = { ...selection, ...kept, signal, state: this.#state, limit: chunk, onError };
    let told = 0;
    for await (const change of follow(client, options)) {
      if (change.type === 'synced') {
        this.#isSynced = true;
        this.#tellSynced();
        continue;
      }
      for (const handler of this.#handlers) handler(change);
      // A server in the same process answers others meanwhile.
      if (++told % chunk === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }
}
