/** Follows what a store has under a prefix, through whatever happens to the store. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, Store, StoreEvent, Subscription } from '../contract/index.js';

/** Receives what is stored. Must not throw and must not block. */
export interface EntrySink {
  /** All that there is, in key order; what was told before counts no more. */
  began(entries: readonly Entry[]): void;
  /** A change to that. */
  event(event: StoreEvent): void;
  /** The store is closed: nothing more will come. */
  closed?(): void;
}

/** The calls of a store that following takes. */
export type FollowedStore = Pick<Store, 'list' | 'watch' | 'confirm'>;

/** Pause before a store that is between two states is asked again, milliseconds. */
const retryMs = 100;

/**
 * Tells the sink of all there is before it returns, and of every change from then on, in order. Where the store gets
 * another state as a whole, or the history between is lost, the sink keeps what it was told until there is a state to
 * begin with again.
 */
export function followEntries(store: FollowedStore, prefix: string, sink: EntrySink): Subscription {
  let watch: Subscription | undefined;
  let stopped = false;
  const begin = (): boolean => {
    const listed = store.list(prefix);
    if (typeof listed === 'string') return false;
    sink.began(listed.entries);
    const begun = store.watch(prefix, listed.revision, {
      event: (event) => sink.event(event),
      ended: (reason) => {
        if (reason === 'closed') sink.closed?.();
        else if (reason === 'compacted') void beginAgain();
      },
    });
    if (typeof begun === 'string') return false;
    watch = begun;
    return true;
  };
  const beginAgain = async (): Promise<void> => {
    while (!stopped && ((await store.confirm()) !== undefined || !begin())) {
      await sleep(retryMs, undefined, { ref: false });
    }
  };
  if (!begin()) void beginAgain();
  return {
    stop() {
      stopped = true;
      watch?.stop();
    },
  };
}
