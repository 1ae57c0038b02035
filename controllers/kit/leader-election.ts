/** Has one process of several work at a time: whoever holds a Lease leads, as long as its own clocks say so. */
import { sleep, systemClock } from '../../client/index.js';
import { allowListeners } from './allow-listeners.js';
import { LeaseClaim, type LeaseOptions } from './lease.js';
import type { ControllerState, RunningControllers } from './run-controllers.js';

export interface LeaderElectionOptions extends Omit<LeaseOptions, 'durationMs' | 'clock'> {
  readonly clock?: LeaseOptions['clock'];
  /** How long others wait after the last sign of the leader, milliseconds. Default: 15000. */
  readonly durationMs?: number;
  /** How long the leader acts after its last sign, milliseconds; less than the duration. Default: 10000. */
  readonly renewDeadlineMs?: number;
  /** Pause between two signs, and between two attempts to lead, milliseconds. Default: 2000. */
  readonly retryMs?: number;
  /** Told of requests for the lease that failed. */
  readonly onError: (error: unknown) => void;
  /** Told when this process begins to lead, and when it no longer does. */
  readonly onLeading?: (isLeading: boolean) => void;
}

/** This process does not lead, or cannot be sure of it. */
export class NotLeadingError extends Error {
  constructor() {
    super('this process no longer leads, so nothing is written');
  }
}

/** The work of a leader; `check` throws as soon as the lease may have gone to another. */
export type Lead = (check: () => void) => RunningControllers;

/** Runs what `lead` starts whenever this process leads. Stopping ends that first, and then lets others lead at once. */
export function runAsLeader(options: LeaderElectionOptions, lead: Lead): RunningControllers {
  const elector = new Elector(options, lead);
  const ending = new AbortController();
  allowListeners(ending.signal);
  const running = elector.run(ending.signal);
  return {
    get states() {
      return elector.states;
    },
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

const nobody: ReadonlyMap<string, ControllerState> = new Map();

class Elector {
  readonly #options: LeaderElectionOptions;
  readonly #clock;
  readonly #claim: LeaseClaim;
  readonly #lead: Lead;
  readonly #retryMs: number;
  readonly #renewDeadlineMs: number;
  /** The moment when the last sign was sent, by two clocks: one stands still while a machine sleeps, one can be set. */
  #sign: { readonly monotonic: number; readonly wall: number } | undefined;
  #working: RunningControllers | undefined;

  constructor(options: LeaderElectionOptions, lead: Lead) {
    const { clock = systemClock, durationMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2000 } = options;
    this.#options = options;
    this.#clock = clock;
    this.#claim = new LeaseClaim({ ...options, clock, durationMs });
    this.#lead = lead;
    this.#retryMs = retryMs;
    this.#renewDeadlineMs = renewDeadlineMs;
  }

  get states(): ReadonlyMap<string, ControllerState> {
    return this.#working?.states ?? nobody;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#attempt(signal);
      if (this.#working && !this.#isSure()) await this.#end();
      await sleep(pauseMs, signal, this.#clock);
    }
    const wasLeading = this.#isSure();
    await this.#end();
    if (wasLeading) await this.#release();
  }

  /** Asks for the lease once; returns how long to wait until the next time, milliseconds. */
  async #attempt(signal: AbortSignal): Promise<number> {
    const sent = { monotonic: this.#clock.monotonicMs(), wall: this.#clock.wallMs() };
    try {
      const claim = await this.#inTime((late) => this.#claim.claim(AbortSignal.any([signal, late])));
      if (!claim.isHeld) {
        this.#sign = undefined;
        // Several who wait do not all ask at the same moment.
        return Math.min(Math.max(claim.freeInMs, 0), this.#retryMs) + this.#retryMs * 0.1 * Math.random();
      }
      this.#sign = sent;
      if (this.#working === undefined && this.#isSure() && !signal.aborted) this.#begin();
    } catch (error) {
      if (!signal.aborted) this.#options.onError(error);
    }
    return this.#retryMs;
  }

  #isSure(): boolean {
    if (this.#sign === undefined) return false;
    const { monotonic, wall } = this.#sign;
    const passed = Math.max(this.#clock.monotonicMs() - monotonic, this.#clock.wallMs() - wall);
    return passed < this.#renewDeadlineMs;
  }

  #begin(): void {
    this.#working = this.#lead(() => {
      if (!this.#isSure()) throw new NotLeadingError();
    });
    this.#options.onLeading?.(true);
  }

  async #end(): Promise<void> {
    const working = this.#working;
    if (working === undefined) return;
    await working.stop();
    this.#working = undefined;
    this.#options.onLeading?.(false);
  }

  /** Others take over by themselves where this fails. */
  async #release(): Promise<void> {
    await this.#inTime((late) => this.#claim.release(late)).catch(this.#options.onError);
  }

  /** A request that is not answered is given up, so that the leader notices in time that it no longer leads. */
  async #inTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const reason = new Error('the lease was not answered in time');
    const cancel = this.#clock.after(this.#renewDeadlineMs / 2, () => late.abort(reason));
    try {
      return await ask(late.signal);
    } finally {
      cancel();
    }
  }
}
