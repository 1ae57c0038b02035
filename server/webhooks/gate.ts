/** Limits the concurrent calls to one host, and the calls that begin or end in one turn of the event loop. */

import type { CallOutcome } from './circuit.js';

/** Calls at a time to a host that answers. */
const mostCalls = 64;

/** Calls at a time to a host that has not answered yet: each may wait in vain, and costs a handshake. */
const firstCalls = 8;

/** Calls at a time to a host after a late call. */
const lateCalls = 1;

export class Gate {
  #most = firstCalls;
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** Resolves to whether the call may begin: not if `signal` aborts first. Each call that begins must `leave`. */
  enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#running < this.#most) {
      this.#running++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.delete(begin);
        resolve(false);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(begin);
    });
  }

  /** Ends a call. The host gets more calls at a time once it has answered, and fewer when it was late. */
  leave(outcome: CallOutcome): void {
    if (outcome === 'ended') this.#most = mostCalls;
    else if (outcome === 'late') this.#most = lateCalls;
    this.#running--;
    // After a late call, waits one turn, so that calls with the same deadline give up before they begin.
    if (outcome === 'ended') this.#admit();
    else setImmediate(() => this.#admit());
  }

  #admit(): void {
    for (const begin of this.#waiting) {
      if (this.#running >= this.#most) return;
      this.#waiting.delete(begin);
      this.#running++;
      begin();
    }
  }
}

/** Calls that begin or end in one turn of the event loop. */
const mostOfTurn = 32;

/**
 * Spreads calls over turns of the event loop. A hundred requests that ask twenty webhooks would otherwise delay all
 * others when they begin, and again when all of them are late.
 */
export class CallTurns {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** Returns a promise if the call must wait for another turn. */
  take(): Promise<void> | undefined {
    if (this.#taken === 0) setImmediate(() => this.#next());
    if (this.#taken < mostOfTurn) {
      this.#taken++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    const begun = this.#waiting.splice(0, mostOfTurn);
    this.#taken = begun.length;
    if (begun.length > 0) setImmediate(() => this.#next());
    for (const begin of begun) begin();
  }
}
