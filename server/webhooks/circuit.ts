/** Stops calls to a target that has stopped answering, and tries it again after a pause. */

/** `closed` lets calls through, `open` does not, and `half-open` waits for the answer to one call that tries. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** How a call ended: with an answer or a failure at once, after all of its time, or too early to know. */
export type CallOutcome = 'ended' | 'late' | 'unknown';

/** Calls in a row that end without an answer before the circuit opens. */
export const mostLate = 5;

/** How long an open circuit waits before it lets a call through, milliseconds. */
export const pauseMs = 10_000;

/** The circuit of one target. `clock` returns milliseconds. */
export class Circuit {
  #late = 0;
  /** The time from which a call may try; `undefined` while the circuit is closed. */
  #retryAt: number | undefined;
  #trial: symbol | undefined;

  constructor(
    readonly name: string,
    private readonly onChange: (state: 'closed' | 'open') => void,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  get state(): CircuitState {
    if (this.#retryAt === undefined) return 'closed';
    return this.#trial ? 'half-open' : 'open';
  }

  /** Returns a token to pass to `note` after the call, or `undefined` if no call may be made now. */
  admit(): symbol | undefined {
    const call = Symbol();
    if (this.#retryAt === undefined) return call;
    if (this.#trial || this.clock() < this.#retryAt) return undefined;
    this.#trial = call;
    return call;
  }

  /** Notes how a call ended. A late call that began before the circuit opened changes nothing. */
  note(call: symbol, outcome: CallOutcome): void {
    const isTrial = this.#trial === call;
    if (isTrial) this.#trial = undefined;
    if (outcome === 'ended') this.#close();
    else if (outcome === 'late' && (isTrial || (this.#retryAt === undefined && ++this.#late >= mostLate))) this.#open();
  }

  #open(): void {
    const isNew = this.#retryAt === undefined;
    this.#retryAt = this.clock() + pauseMs;
    if (isNew) this.onChange('open');
  }

  #close(): void {
    this.#late = 0;
    if (this.#retryAt === undefined) return;
    this.#retryAt = undefined;
    this.onChange('closed');
  }
}
