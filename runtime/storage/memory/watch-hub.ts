/** Passes committed changes to their watchers, and wakes callers that wait for a revision. */
import type { Revision, StoreEvent, Subscription, WatchSink } from '../../contract/index.js';

/**
 * Keeps subscriptions by prefix. A change looks up the few prefixes of its key, so it costs nothing for other watchers,
 * and one call for each of its own.
 */
export class WatchHub {
  readonly #onError: (error: unknown) => void;
  readonly #byPrefix = new Map<string, Set<WatchSubscription>>();
  #size = 0;

  /** `onError` gets errors that sinks throw. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#size;
  }

  /** Registers a sink that has seen everything up to a revision. */
  add(prefix: string, seen: Revision, sink: WatchSink): WatchSubscription {
    const subscription = new WatchSubscription(sink, seen, {
      unregister: () => this.#remove(prefix, subscription),
      onError: this.#onError,
    });
    const filed = this.#byPrefix.get(prefix);
    if (filed) filed.add(subscription);
    else this.#byPrefix.set(prefix, new Set([subscription]));
    this.#size++;
    return subscription;
  }

  /** Notifies all watchers of a change. */
  dispatch(event: StoreEvent): void {
    if (this.#size === 0) return;
    const { key } = event.entry;
    this.#deliver('', event);
    for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      this.#deliver(key.slice(0, slash + 1), event);
    }
    this.#deliver(key, event);
  }

  /** Ends every watch. */
  end(reason: 'compacted' | 'closed'): void {
    // A sink may begin a new watch when its old one ends.
    const all = [...this.#byPrefix.values()].flatMap((filed) => [...filed]);
    for (const subscription of all) subscription.end(reason);
  }

  #deliver(prefix: string, event: StoreEvent): void {
    const filed = this.#byPrefix.get(prefix);
    if (filed) for (const subscription of filed) subscription.deliver(event);
  }

  #remove(prefix: string, subscription: WatchSubscription): void {
    const filed = this.#byPrefix.get(prefix);
    if (!filed?.delete(subscription)) return;
    this.#size--;
    if (filed.size === 0) this.#byPrefix.delete(prefix);
  }
}

/** The hub as its subscriptions see it. */
interface HubSide {
  readonly unregister: () => void;
  readonly onError: (error: unknown) => void;
}

export class WatchSubscription implements Subscription {
  readonly #sink: WatchSink;
  readonly #hub: HubSide;
  /** The revision up to which the sink has seen all changes. */
  #seen: Revision;
  #stopped = false;

  constructor(sink: WatchSink, seen: Revision, hub: HubSide) {
    this.#sink = sink;
    this.#seen = seen;
    this.#hub = hub;
  }

  /**
   * Passes on a change, unless the sink already has it: a watch that starts during delivery replays the change first.
   */
  deliver(event: StoreEvent): void {
    if (this.#stopped || event.revision <= this.#seen) return;
    this.#seen = event.revision;
    try {
      this.#sink.event(event);
    } catch (error) {
      // A sink must not throw. If it does, it has lost a change, so its watch ends. Other watches go on.
      this.#hub.onError(error);
      this.end('closed');
    }
  }

  end(reason: 'compacted' | 'closed'): void {
    if (this.#stopped) return;
    this.stop();
    try {
      this.#sink.ended(reason);
    } catch (error) {
      // It is no longer registered, so there is nothing left to undo.
      this.#hub.onError(error);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#hub.unregister();
  }
}

interface Waiter {
  readonly revision: Revision;
  /** The time at which to give up, by `performance.now()`. */
  readonly until: number;
  readonly resolve: (reached: boolean) => void;
}

/** The longest delay of a timer, in milliseconds. A longer one would end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Keeps waiters in the order of their revisions, with one timer for all. Almost all waiters already come in that order.
 */
export class RevisionWaiters {
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The end of the timer. */
  #timedFor = Number.POSITIVE_INFINITY;

  /**
   * Resolves to true once `reach` was called with the revision or a later one, and to false after this many
   * milliseconds.
   */
  wait(revision: Revision, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const until = performance.now() + Math.min(withinMs, LONGEST_WAIT_MS);
      const behind = this.#waiters.findLastIndex((waiter) => waiter.revision <= revision) + 1;
      const waiter = { revision, until, resolve };
      if (behind === this.#waiters.length) this.#waiters.push(waiter);
      else this.#waiters.splice(behind, 0, waiter);
      if (until < this.#timedFor) this.#setTimer(until);
    });
  }

  reach(revision: Revision): void {
    const first = this.#waiters[0];
    if (!first || first.revision > revision) return;
    const count = this.#waiters.findLastIndex((waiter) => waiter.revision <= revision) + 1;
    for (const { resolve } of this.#waiters.splice(0, count)) resolve(true);
    if (this.#waiters.length === 0) this.#setTimer(Number.POSITIVE_INFINITY);
  }

  /** Resolves all waiters to false: their revisions will not be reached. */
  close(): void {
    for (const { resolve } of this.#waiters.splice(0)) resolve(false);
    this.#setTimer(Number.POSITIVE_INFINITY);
  }

  #setTimer(until: number): void {
    clearTimeout(this.#timer);
    this.#timedFor = until;
    if (until === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(0, Math.ceil(until - performance.now())));
  }

  #giveUp(): void {
    const now = performance.now();
    const late = this.#waiters.filter(({ until }) => until <= now);
    this.#waiters = this.#waiters.filter(({ until }) => until > now);
    for (const { resolve } of late) resolve(false);
    this.#setTimer(this.#waiters.reduce((first, { until }) => Math.min(first, until), Number.POSITIVE_INFINITY));
  }
}
