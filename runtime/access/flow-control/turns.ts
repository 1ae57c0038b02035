/**
 * Shares the turns of the event loop among requests that wait. There is one thread: whatever is answered in a turn holds
 * up all that came in it, and all that comes meanwhile. So a turn in which many requests come answers as many of them as
 * take a fraction of a millisecond, those of the flows first that have had the least, and lets new requests come before
 * it goes on. A user who floods the server waits for themselves.
 */
import type { Turns } from '../../request/api-request.js';
import type { PriorityLevel } from './priority-level.js';

/**
 * How long a turn may answer requests that wait, milliseconds: about seven gets. Others wait as long
 * (scenario `fairness` of `bench`).
 */
const sliceMs = 0.2;

/** The same while all requests are from one user, who gains nothing by it: answers of one turn together cost less. */
const loneSliceMs = 4;

/** How long users share the server after one has come beside another, milliseconds. */
const sharedMs = 1000;

/** Requests of one turn that are answered in the order in which they came, if that does not take longer. */
const fewRequests = 4;

/** Refusals that one turn sends. A client that asks again at once without end gets them as slowly as answers. */
const refusalsInTurn = 8;

export class SharedTurns implements Turns {
  /** The number of the turn. */
  turn = 0;
  /** Whether requests of one turn are being handled. */
  inTurn = false;
  /** The levels with requests that wait. */
  readonly #busy = new Set<PriorityLevel>();
  #refusals: (() => void)[] = [];
  #requests = 0;
  #began = 0;
  #announced = 0;
  #user = '';
  #sharedUntil = Number.NEGATIVE_INFINITY;
  #scheduled = false;
  /** Time that the level served last had spent. */
  #time = 0;

  announce(): void {
    this.#announced++;
  }

  begin(requests: number): void {
    this.#announced--;
    this.turn++;
    this.inTurn = true;
    this.#requests = requests;
    if (requests > 1) this.#began = performance.now();
  }

  end(): void {
    this.inTurn = false;
    this.#requests = 0;
    if (this.#busy.size > 0 || this.#refusals.length > 0) this.#slice();
  }

  /** A request of a user has come. */
  note(user: string): void {
    if (user === this.#user || !this.inTurn) return;
    if (this.#user !== '') this.#sharedUntil = performance.now() + sharedMs;
    this.#user = user;
  }

  /** Whether a request may be answered as it comes: there is nobody to be fair to, or nobody has to wait for long. */
  get isCalm(): boolean {
    const requests = this.#requests;
    if (requests <= 1 || this.#began > this.#sharedUntil) return true;
    return requests <= fewRequests && performance.now() - this.#began < sliceMs;
  }

  /** A level has requests that wait. */
  wait(level: PriorityLevel): void {
    if (!this.#busy.has(level)) {
      level.spent = Math.max(level.spent, this.#time);
      this.#busy.add(level);
    }
    if (!this.inTurn) this.#schedule();
  }

  /** Goes on where a seat has come free. */
  resume(level: PriorityLevel): void {
    if (level.waiting > 0) this.#schedule();
  }

  /** Sends a refusal, now where the turn is calm. */
  refuse(send: () => void): void {
    this.#refusals.push(send);
    if (!this.inTurn) this.#schedule();
  }

  get waitingLevels(): Iterable<PriorityLevel> {
    return this.#busy;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      // Requests have come in this turn, whose end goes on with all that wait.
      if (this.#announced === 0) this.#slice();
    });
  }

  #slice(): void {
    const began = performance.now();
    const most = began > this.#sharedUntil ? loneSliceMs : sliceMs;
    let [now, besides] = [began, 0];
    while (now - began + besides < most) {
      const level = this.#next(now);
      const queue = level?.next(now);
      const item = queue && level?.take(queue);
      if (!level || !queue || !item) break;
      if (item.isGone()) {
        item.refuse('cancelled');
        continue;
      }
      const unseen = item.execute(queue);
      const after = performance.now();
      const cost = after - now + unseen;
      besides += unseen;
      queue.spent += cost * item.seats;
      level.spent += cost / Math.max(level.limit, 1);
      now = after;
    }
    for (const send of this.#refusals.splice(0, refusalsInTurn)) send();
    if (this.#refusals.length > 0 || this.#next(now)) this.#schedule();
  }

  /** The level that has spent the least for its seats, among those that have one for a request. */
  #next(now: number): PriorityLevel | undefined {
    let best: PriorityLevel | undefined;
    for (const level of this.#busy) {
      if (level.waiting === 0) this.#busy.delete(level);
      else if ((!best || level.spent < best.spent) && level.next(now)) best = level;
    }
    if (best) this.#time = Math.max(this.#time, best.spent);
    return best;
  }
}
