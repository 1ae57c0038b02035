/** Has the driver forget history that is older than the window. One of the servers does this for all. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedHousekeeping } from '../../contract/index.js';

export interface HousekeeperOptions {
  /** Milliseconds of history to keep. */
  readonly windowMs: number;
  /** Seconds that the elected server may be silent before another takes over; 15 by default. */
  readonly leaseSeconds?: number | undefined;
}

/** How often history is trimmed in a window, about. */
const TIMES_PER_WINDOW = 10;
const SHORTEST_INTERVAL_MS = 200;

export class Housekeeper {
  readonly #housekeeping: SharedHousekeeping;
  readonly #windowMs: number;
  readonly #leaseSeconds: number;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #isLeader = false;
  #problem = '';

  constructor(housekeeping: SharedHousekeeping, { windowMs, leaseSeconds = 15 }: HousekeeperOptions) {
    this.#housekeeping = housekeeping;
    this.#windowMs = windowMs;
    this.#leaseSeconds = leaseSeconds;
    this.#running = this.#run();
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** The problem of the last run; empty if it succeeded. */
  get problem(): string {
    return this.#problem;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    if (this.#isLeader) await this.#housekeeping.resign();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const trimMs = Math.max(SHORTEST_INTERVAL_MS, this.#windowMs / TIMES_PER_WINDOW);
    const roundMs = Math.min(trimMs, (this.#leaseSeconds * 1000) / 3);
    let trimmed = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        this.#isLeader = await this.#housekeeping.lead(this.#leaseSeconds);
        if (this.#isLeader && performance.now() - trimmed >= trimMs) {
          await this.#housekeeping.forget(this.#windowMs);
          trimmed = performance.now();
        }
        this.#problem = '';
      } catch (error) {
        this.#problem = error instanceof Error ? error.message : String(error);
      }
      await sleep(roundMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
