/** A priority level: the seats of its requests, and the queues of waiting requests. */
import { createHash } from 'node:crypto';
import { memoize } from '../../objects/memoize.js';
import { Demand, type DemandFigures, smoothed } from './demand.js';
import { type FairQueue, FairQueues, type Waiting } from './fair-queues.js';
import type { LevelFigures, RefusalReason } from './flow-observer.js';
import type { LevelSpec, SeatBounds, SeatWish } from './level-spec.js';

/** The seats of a level before its share is computed. */
const noSeats: SeatBounds = { nominal: 0, lower: 0, upper: 0 };

/** The queue of levels that do not queue. Its requests have seats and only wait for their turn. */
const oneQueue = { queues: 1, handSize: 1, lengthLimit: Number.POSITIVE_INFINITY };

export class PriorityLevel {
  /** The number of seats that its requests may hold now. */
  limit = 0;
  /** Seats of running requests. */
  seats = 0;
  /** Seats of waiting requests. */
  waitingSeats = 0;
  waiting = 0;
  executing = 0;
  /** The time that its requests took in turns shared by several levels, divided by its seats. */
  spent = 0;
  readonly demand: Demand;
  #spec: LevelSpec;
  #bounds = noSeats;
  #queues: FairQueues;
  #handOf: (flow: string) => readonly number[];
  /** Seats of requests that ran within one turn of the event loop, and so arrived at the same time. */
  #turnSeats = 0;
  #turn = -1;
  #smoothed = 0;
  #figures: DemandFigures = { average: 0, deviation: 0, high: 0 };
  /** The last time at which a request waited for a seat. */
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

  /** Uses another spec from now on. Waiting requests stay in their queue. */
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

  /** Reports whether a request of the turn may run at once. */
  hasRoom(seats: number, turn: number): boolean {
    return this.waiting === 0 && this.#fits(seats, this.seats + this.#seatsIn(turn));
  }

  /** Counts a request that ran within a turn as if it held its seats until the end of the turn. */
  passed(seats: number, turn: number): void {
    this.#turnSeats = this.#seatsIn(turn) + seats;
    const all = this.seats + this.waitingSeats + this.#turnSeats;
    if (all > this.demand.high) this.demand.high = all;
  }

  /** Queues a request. Returns the reason if the queue is full, else the number of requests before it. */
  enqueue(item: Waiting, turn: number): number | RefusalReason {
    const { lengthLimit, handSize } = this.#queuing;
    const held = this.seats + this.waitingSeats + this.#seatsIn(turn);
    if (!this.#spec.queuing && !this.#fits(item.seats, held)) return 'concurrency-limit';
    const queue = this.#queues.shortest(this.#handOf(`${item.schema}\0${item.flow}`));
    // Requests that have seats and only wait for their turn do not count against the queue's length.
    const ofSeats = Math.ceil(Math.max(0, this.limit - this.seats) / handSize);
    if (!queue || queue.items.length >= lengthLimit + ofSeats) return 'queue-full';
    const before = queue.items.length;
    this.#queues.add(queue, item);
    this.waiting++;
    this.waitingSeats += item.seats;
    this.noteDemand(item.since);
    return before;
  }

  /** Returns the queue with the next request; `undefined` if there is none, or no seat for it. */
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

  /**
   * Reports whether requests have waited for seats since a moment: only then does holding a seat cost other requests
   * time.
   */
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

  /** Returns at least the seats in use, unless they were borrowed, and at most the seats that others lend. */
  #wish(): SeatWish {
    const { nominal, lower: least, upper } = this.#bounds;
    const lower = Math.max(least, Math.min(nominal, this.#figures.high));
    return { lower, upper: Math.max(lower, upper), target: Math.max(lower, this.#smoothed) };
  }

  get #queuing() {
    return this.#spec.queuing ?? oneQueue;
  }

  /** Deals hands and caches them for some hundred flows: dealing costs as much as a small request. */
  #dealer(): (flow: string) => readonly number[] {
    const { queues, handSize } = this.#queuing;
    return memoize((flow) => dealHand(flow, queues, handSize));
  }

  /** Returns whether seats are free. A request for more seats than exist runs when no other request does. */
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
 * Deals a hand of different queues to a flow, `handSize` of `queues`. The same flow always gets the same hand: each
 * card is drawn from the remaining cards with the remainder of a 64-bit hash.
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

/** Returns the card at a place among the cards that were not dealt. */
function cardAmongThoseLeft(place: number, hand: readonly number[]): number {
  let card = place;
  for (const dealt of [...hand].sort((a, b) => a - b)) {
    if (card >= dealt) card++;
  }
  return card;
}
