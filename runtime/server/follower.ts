/** Keeps one sink up to date: passes on the objects and changes of the store, and starts again after each fault. */
import type {
  Entry,
  FollowedPart,
  Following,
  FollowSink,
  Key,
  Revision,
  Store,
  StoreEvent,
  Subscription,
} from '../contract/index.js';
import type { MaybePromise } from '../objects/turns.js';

/** After this many milliseconds without a complete state, the state of a sink is stale. */
export const staleAfterMs = 30_000;

/** Milliseconds to wait for a store between two states, and after a change of an object that failed. */
const pollMs = 100;

/**
 * The longest pause in milliseconds while the sink may have missed a change. It is longer if only some objects are
 * missing.
 */
const longestLostPauseMs = 5_000;

/** The objects of a part at a revision. */
interface List {
  readonly part: FollowedPart;
  readonly revision: Revision;
  readonly entries: readonly Entry[];
}

export interface FollowerSurroundings {
  readonly store: Pick<Store, 'list' | 'watch' | 'confirm'>;
  readonly onError: (problem: string, error: unknown) => void;
  /** Returns milliseconds that never go back. */
  readonly now: () => number;
  readonly onStopped: () => void;
}

export class Follower implements Following {
  readonly name: string;
  readonly #sink: FollowSink;
  readonly #around: FollowerSurroundings;
  #watches: readonly Subscription[] = [];
  /** The number of the current attempt. Callbacks of earlier attempts do nothing. */
  #attempt = 0;
  /** The time since which anything may be missing. */
  #behindSince: number | undefined;
  /** The time since which objects outside of `#failed` may be missing. */
  #lostSince: number | undefined;
  /** Objects that the sink failed on and does not hold. */
  readonly #failed = new Set<Key>();
  readonly #retries = new Retries(() => this.#restart());

  constructor(name: string, sink: FollowSink, around: FollowerSurroundings) {
    this.name = name;
    this.#sink = sink;
    this.#around = around;
  }

  /** Runs for every request, and reads a clock only while the follower is behind. */
  get isStale(): boolean {
    return this.#lostSince !== undefined && this.#around.now() - this.#lostSince > staleAfterMs;
  }

  get behindMs(): number {
    return this.#behindSince === undefined ? 0 : Math.max(1, this.#around.now() - this.#behindSince);
  }

  problem(): string {
    if (this.#behindSince === undefined) return '';
    const objects = [...this.#failed].slice(0, 3).join(', ');
    const seconds = Math.round(this.behindMs / 1000);
    const cause = objects === '' ? '' : `, because of ${objects}${this.#failed.size > 3 ? ' and others' : ''}`;
    return `${this.name} is ${seconds} s behind the store${cause}`;
  }

  /** Passes on all existing objects, then their changes. Called again after each fault. Never throws. */
  start(): void {
    const attempt = this.#begin();
    try {
      this.#handOver(attempt);
    } catch (error) {
      this.#report('', error);
      this.#loseBackOff();
    }
  }

  stop(): void {
    this.#begin();
    this.#around.onStopped();
  }

  #handOver(attempt: number): void {
    const lists = this.#list();
    const loading = lists && this.#loading(lists);
    if (!lists) this.#losePoll();
    else if (loading) this.#loseAndLoad(loading, attempt);
    else {
      const isWhole = this.#replace(lists);
      // The sink may have stopped its follower.
      if (attempt !== this.#attempt) return;
      if (!this.#watch(lists, attempt)) this.#losePoll();
      else if (!isWhole) this.#loseBackOff();
      else this.#caughtUp();
    }
  }

  /** Stops the work of the previous attempt. */
  #begin(): number {
    this.#retries.cancel();
    for (const watch of this.#watches) watch.stop();
    this.#watches = [];
    return ++this.#attempt;
  }

  /** Returns the current state, or nothing if the store is between two states. */
  #list(): readonly List[] | undefined {
    const lists: List[] = [];
    for (const part of this.#sink.parts) {
      const listed = this.#around.store.list(part.prefix);
      if (typeof listed === 'string') return undefined;
      lists.push({ part, ...listed });
    }
    return lists;
  }

  /** Records that nothing is missing, except for objects that the sink fails on. */
  #caughtUp(): void {
    this.#lostSince = undefined;
    if (this.#failed.size > 0) this.#retries.backOff();
    else {
      this.#behindSince = undefined;
      this.#retries.reset();
    }
  }

  /** Returns a promise if an object cannot be read yet; it resolves once the object can. */
  #loading(lists: readonly List[]): Promise<void> | undefined {
    for (const { part, entries } of lists) {
      if (!part.ready) continue;
      for (const entry of entries) {
        const loading = readiness(part, entry);
        if (loading) return loading;
      }
    }
    return undefined;
  }

  /** Puts all objects. Returns whether the sink holds all except the objects in `#failed`. */
  #replace(lists: readonly List[]): boolean {
    this.#failed.clear();
    let isWhole = this.#try('', () => this.#sink.reset());
    for (const { part, entries } of lists) {
      for (const entry of entries) {
        if (!this.#try(entry.key, () => part.put(entry))) isWhole = this.#leaveOut(part, entry.key) && isWhole;
      }
    }
    return this.#try('', () => this.#sink.complete?.()) && isWhole;
  }

  /** Follows changes after the lists. Returns false if the store has moved to another state. */
  #watch(lists: readonly List[], attempt: number): boolean {
    const watches: Subscription[] = [];
    this.#watches = watches;
    for (const { part, revision } of lists) {
      const watch = this.#around.store.watch(part.prefix, revision, {
        event: (event) => this.#event(part, event),
        ended: (reason) => this.#ended(reason, attempt),
      });
      if (typeof watch === 'string') return false;
      watches.push(watch);
    }
    return true;
  }

  #event(part: FollowedPart, { type, entry }: StoreEvent): void {
    const loading = type === 'DELETED' ? undefined : readiness(part, entry);
    if (loading) this.#loseAndLoad(loading, this.#begin());
    else this.#apply(part, type, entry);
  }

  #apply(part: FollowedPart, type: StoreEvent['type'], entry: Entry): void {
    const { key } = entry;
    const known = this.#failed.has(key);
    const isDone = this.#try(key, () => (type === 'DELETED' ? part.remove(key) : part.put(entry)));
    if (isDone) {
      // The object can be read again or was deleted, so perhaps nothing is missing now.
      if (known) this.#retries.after(pollMs);
    } else if (!this.#leaveOut(part, key) || !known) this.#loseBackOff();
  }

  /** Removes the rest of an object from the sink after a failed `put`. */
  #leaveOut(part: FollowedPart, key: Key): boolean {
    this.#failed.add(key);
    this.#behindSince ??= this.#around.now();
    return this.#try(key, () => part.remove(key));
  }

  #ended(reason: 'compacted' | 'closed', attempt: number): void {
    if (attempt !== this.#attempt) return;
    if (reason === 'compacted') {
      this.#lose();
      this.#restart();
      return;
    }
    this.stop();
    this.#sink.closed?.();
  }

  /** Starts again once the store is confirmed to be up to date. The sink keeps its state until then. */
  #restart(): void {
    void this.#startAfter(() => this.#around.store.confirm(), this.#attempt);
  }

  /** Starts again after a wait, unless another attempt began in the meantime. Never rejects. */
  async #startAfter(wait: () => MaybePromise<unknown>, attempt: number): Promise<void> {
    try {
      const failure = await wait();
      if (attempt !== this.#attempt) return;
      if (failure) this.#retries.after(pollMs);
      else this.start();
    } catch (error) {
      this.#report('', error);
      if (attempt === this.#attempt)
        this.#retries.backOff(this.#lostSince === undefined ? undefined : longestLostPauseMs);
    }
  }

  #lose(): void {
    this.#lostSince ??= this.#around.now();
    this.#behindSince ??= this.#lostSince;
  }

  #losePoll(): void {
    this.#lose();
    this.#retries.after(pollMs);
  }

  #loseBackOff(): void {
    this.#lose();
    this.#retries.backOff(longestLostPauseMs);
  }

  #loseAndLoad(loading: Promise<void>, attempt: number): void {
    this.#lose();
    void this.#startAfter(() => loading, attempt);
  }

  /** Calls the sink, and reports the error if it throws. */
  #try(key: Key, act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.#report(key, error);
      return false;
    }
  }

  #report(key: Key, error: unknown): void {
    const place = key === '' ? '' : ` at ${key}`;
    this.#around.onError(`the follower ${this.name} has failed${place}, and starts again from a fresh list`, error);
  }
}

function readiness(part: FollowedPart, entry: Entry): Promise<void> | undefined {
  try {
    return part.ready?.(entry) ?? undefined;
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The first pause and the longest one, in milliseconds. Each pause is twice the one before. */
const firstPauseMs = 100;
const longestPauseMs = 300_000;

class Retries {
  readonly #act: () => void;
  #nextMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;

  constructor(act: () => void) {
    this.#act = act;
  }

  /** Acts after the next pause, which is at most `mostMs`. */
  backOff(mostMs = longestPauseMs): void {
    const pauseMs = Math.min(this.#nextMs, mostMs);
    this.#nextMs = Math.min(this.#nextMs * 2, longestPauseMs);
    this.after(pauseMs);
  }

  /** Acts after a pause, or sooner if already planned. */
  after(pauseMs: number): void {
    const due = performance.now() + pauseMs;
    if (this.#timer && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, pauseMs).unref();
  }

  /** Begins again with the first pause. */
  reset(): void {
    this.#nextMs = firstPauseMs;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
