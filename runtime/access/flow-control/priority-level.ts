/** A priority level: the seats that its requests hold, and the queues of those that wait for one. */
import { createHash } from 'node:crypto';
import { memoize } from '../../objects/memoize.js';
import { Demand, type DemandFigures, smoothed } from './demand.js';
import { type FairQueue, FairQueues, type Waiting } from './fair-queues.js';
import type { LevelFigures } from './flow-observer.js';
import type { LevelSpec } from './level-spec.js';
import type { RefusalReason } from './refusal-reason.js';
import type { SeatBounds, SeatWish } from './seat-shares.js';

/** The seats of a level whose share nobody has worked out yet. */
const noSeats: SeatBounds = { nominal: 0, lower: 0, upper: 0 };

/** Queued requests of levels that refuse: they have their seats, and wait only until the turn is theirs. */
const oneQueue = { queues: 1, handSize: 1, lengthLimit: Number.POSITIVE_INFINITY };

export class PriorityLevel {
  /** As many seats as its requests may hold at the moment. */
  limit = 0;
  /** Seats of requests that are executed. */
  seats = 0;
  /** Seats of requests that wait. */
  waitingSeats = 0;
  waiting = 0;
  executing = 0;
  /** The time that its requests have cost in turns that levels had to share, by its seats. */
  spent = 0;
  readonly demand: Demand;
  #spec: LevelSpec;
  #bounds = noSeats;
  #queues: FairQueues;
  #handOf: (flow: string) => readonly number[];
  /** Seats of requests that were executed within one turn of the event loop: they came at the same time. */
  #turnSeats = 0;
  #turn = -1;
  #smoothed = 0;
  #figures: DemandFigures = { average: 0, deviation: 0, high: 0 };
  /** When a request last had to wait for a seat. */
  #shortAt = Number.NEGATIVE_INFINITY;

  constructor(spec: LevelSpec, now: number) {
    this.#spec = spec;
    this.demand = new Demand(now);
    this.#queues = new FairQueues(this.#queuing.queues);
    this.#handOf = this.#dealer();
  }

  get spec(): LevelSpec {
    return this.#spec;
  }

  /** Goes by another spec from here on. What waits stays in the queue that it is in. */
  use(spec: LevelSpec): void {
    this.#spec = spec;
    const before = this.#queues;
    this.#queues = new FairQueues(this.#queuing.queues);
    this.#queues.adopt(before);
    this.#handOf = this.#dealer();
  }

  setBounds(bounds: SeatBounds): void {
    const { nominal } = this.#bounds;
    this.#bounds = bounds;
    const limit = nominal === bounds.nominal ? this.limit : bounds.nominal;
    this.limit = Math.max(bounds.lower, Math.min(bounds.upper, limit));
  }

  /** Whether a request of the turn may be executed at once. */
  hasRoom(seats: number, turn: number): boolean {
    return this.waiting === 0 && this.#fits(seats, this.seats + this.#seatsIn(turn));
  }

  /** A request has been executed within a turn, to whose end it counts as if it held its seats. */
  passed(seats: number, turn: number): void {
    this.#turnSeats = this.#seatsIn(turn) + seats;
    const all = this.seats + this.waitingSeats + this.#turnSeats;
    if (all > this.demand.high) this.demand.high = all;
  }

  /** Has a request wait. Returns why it may not where it is one too many, else the number of those before it. */
  enqueue(item: Waiting, turn: number): number | RefusalReason {
    const { lengthLimit, handSize } = this.#queuing;
    const held = this.seats + this.waitingSeats + this.#seatsIn(turn);
    if (!this.#spec.queuing && !this.#fits(item.seats, held)) return 'concurrency-limit';
    const queue = this.#queues.shortest(this.#handOf(`${item.schema}\0${item.flow}`));
    // Requests that wait for their turn only, as there are seats for them, are none that a queue is too short for.
    const ofSeats = Math.ceil(Math.max(0, this.limit - this.seats) / handSize);
    if (!queue || queue.items.length >= lengthLimit + ofSeats) return 'queue-full';
    const before = queue.items.length;
    this.#queues.add(queue, item);
    this.waiting++;
    this.waitingSeats += item.seats;
    this.noteDemand(item.since);
    return before;
  }

  /** The queue whose first request is next; `undefined` while there is none, or no seat for it. */
  next(now: number): FairQueue | undefined {
    const queue = this.#queues.next();
    const item = queue?.items[0];
    if (!item) return undefined;
    if (this.#fits(item.seats, this.seats)) return queue;
    this.#shortAt = now;
    return undefined;
  }

  take(queue: FairQueue): Waiting | undefined {
    const item = this.#queues.take(queue);
    if (item) this.#left(item);
    return item;
  }

  takeAll(isOver: (item: Waiting) => boolean): readonly Waiting[] {
    const taken = this.#queues.takeAll(isOver);
    for (const item of taken) this.#left(item);
    return taken;
  }

  queued(): Iterable<readonly [number, FairQueue]> {
    return this.#queues.waiting();
  }

  /** Whether requests have waited for seats since a moment: only then does the time cost others that a seat is held. */
  wasShortSince(moment: number): boolean {
    return this.#shortAt >= moment;
  }

  noteDemand(now: number): void {
    this.demand.set(this.seats + this.waitingSeats, now);
  }

  /** Ends a period of demand. Returns the seats that the level wants for the next one. */
  wish(now: number): SeatWish {
    this.#figures = this.demand.take(now);
    this.#smoothed = smoothed(this.#smoothed, this.#figures);
    return this.#wish();
  }

  figures(): LevelFigures {
    const { limit } = this;
    return { ...this.#bounds, limit, target: this.#wish().target, ...this.#figures, smoothed: this.#smoothed };
  }

  /** No fewer seats than were in use, unless these were borrowed; no more than others lend. */
  #wish(): SeatWish {
    const { nominal, lower: least, upper } = this.#bounds;
    const lower = Math.max(least, Math.min(nominal, this.#figures.high));
    return { lower, upper: Math.max(lower, upper), target: Math.max(lower, this.#smoothed) };
  }

  get #queuing() {
    return this.#spec.queuing ?? oneQueue;
  }

  /** Hands are kept for some hundred flows: to deal one costs as much as a small request. */
  #dealer(): (flow: string) => readonly number[] {
    const { queues, handSize } = this.#queuing;
    return memoize((flow) => dealHand(flow, queues, handSize));
  }

  /** A request for more seats than there are is executed when no other is. */
  #fits(seats: number, held: number): boolean {
    return held === 0 || held + seats <= this.limit;
  }

  #seatsIn(turn: number): number {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#turnSeats = 0;
    }
    return this.#turnSeats;
  }

  #left({ seats }: Waiting): void {
    this.waiting--;
    this.waitingSeats -= seats;
  }
}

/**
 * A hand of different queues for a flow, `handSize` of `queues`. The same flow always gets the same
 * hand: each card is drawn from those that are left, by what is left of a hash of 64 bits.
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  let left = createHash('sha256').update(flow).digest().readBigUInt64LE();
  const hand: number[] = [];
  for (let dealt = 0; dealt < Math.min(handSize, queues); dealt++) {
    const cards = BigInt(queues - dealt);
    hand.push(cardAmongThoseLeft(Number(left % cards), hand));
    left /= cards;
  }
  return hand;
}

/** The card at a place among those that have not been dealt. */
function cardAmongThoseLeft(place: number, hand: readonly number[]): number {
  let card = place;
  for (const dealt of [...hand].sort((a, b) => a - b)) {
    if (card >= dealt) card++;
  }
  return card;
}
