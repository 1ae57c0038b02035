/**
 * Shares the turns of the event loop among waiting requests. There is only one thread, so each answer delays all other
 * requests of its turn, and all that arrive meanwhile. A busy turn therefore answers waiting requests for a fraction of
 * a millisecond, and then lets new ones arrive. Flows with the least time so far come first, so a user who floods the
 * server only delays their own requests.
 */
import type { Turns } from '../../request/api-request.js';
import type { PriorityLevel } from './priority-level.js';

/**
 * Milliseconds for waiting requests in one turn: about seven gets. New requests wait that long (scenario `fairness` of
 * `bench`).
 */
const sliceMs = 0.2;

/** The same while all requests are from one user, because answers of one turn together cost less. */
const loneSliceMs = 4;

/** How long the server counts as shared after requests of two users met, in milliseconds. */
const sharedMs = 1000;

/** The number of requests of one turn that are answered in order of arrival, if there is time. */
const fewRequests = 4;

/** The number of refusals per turn. A client that retries without pause gets them as slowly as answers. */
const refusalsInTurn = 8;

export class SharedTurns implements Turns {
  /** The number of the turn. */
  turn = 0;
  /** Whether requests of one turn are being handled. */
  inTurn = false;
  /** The levels with waiting requests. */
  readonly #busy = new Set<PriorityLevel>();
  #refusals: (() => void)[] = [];
  #requests = 0;
  #began = 0;
  #announced = 0;
  #user = '';
  #sharedUntil = Number.NEGATIVE_INFINITY;
  #scheduled = false;
  /** The time spent by the level served last. */
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

  /** Notes a request of a user. */
  note(user: string): void {
    if (user === this.#user || !this.inTurn) return;
    if (this.#user !== '') this.#sharedUntil = performance.now() + sharedMs;
    this.#user = user;
  }

  /** Whether requests may be answered as they come: there is only one user, or no request waits for long. */
  get isCalm(): boolean {
    const requests = this.#requests;
    if (requests <= 1 || this.#began > this.#sharedUntil) return true;
    return requests <= fewRequests && performance.now() - this.#began < sliceMs;
  }

  /** Adds a level with waiting requests. */
  wait(level: PriorityLevel): void {
    if (!this.#busy.has(level)) {
      level.spent = Math.max(level.spent, this.#time);
      this.#busy.add(level);
    }
    if (!this.inTurn) this.#schedule();
  }

  /** Continues after a seat has become free. */
  resume(level: PriorityLevel): void {
    if (level.waiting > 0) this.#schedule();
  }

  /** Sends a refusal at the end of a turn, only a few in each. */
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
      // If new requests have arrived, the end of their turn serves the waiting ones.
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

  /** Returns the level that has spent the least per seat, among those with a seat for a request. */
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
