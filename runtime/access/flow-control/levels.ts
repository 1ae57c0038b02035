/** The priority levels of a server. They share its seats. */
import type { FlowObserver } from './flow-observer.js';
import type { LevelSpec } from './level-spec.js';
import { PriorityLevel } from './priority-level.js';
import { allotSeats, seatBounds } from './seat-shares.js';

/** The interval at which levels borrow and give back seats, in milliseconds. */
const adjustmentMs = 10_000;

export class Levels {
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #total: number;
  readonly #observer: FlowObserver;
  readonly #clock: () => number;
  #adjustAt: number;

  /** `total` is the number of seats of the server. */
  constructor(total: number, observer: FlowObserver, clock: () => number) {
    this.#total = total;
    this.#observer = observer;
    this.#clock = clock;
    this.#adjustAt = clock() + adjustmentMs;
  }

  find(name: string): PriorityLevel | undefined {
    return this.#levels.get(name);
  }

  get all(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }

  use(spec: LevelSpec): void {
    const known = this.#levels.get(spec.name);
    if (known) known.use(spec);
    else this.#levels.set(spec.name, new PriorityLevel(spec, this.#clock()));
    this.#divide();
  }

  /** Removes a level. Its waiting requests still get their turn, in its former seats. */
  remove(name: string): void {
    if (!this.#levels.delete(name)) return;
    this.#observer.forgotten(name);
    this.#divide();
  }

  /** Lends and borrows seats if it is time. Runs with requests, so an idle server does no work. */
  adjustIfDue(now: number): void {
    if (now < this.#adjustAt) return;
    this.#adjustAt = now + adjustmentMs;
    const limited = this.#limited();
    const wishes = limited.map((level) => level.wish(now));
    const nominal = limited.reduce((sum, level) => sum + level.figures().nominal, 0);
    const { seats, fairPart } = allotSeats(wishes, nominal);
    for (const [i, level] of limited.entries()) level.limit = seats[i] ?? level.limit;
    this.#observer.allotted(fairPart);
    this.#tell();
  }

  #divide(): void {
    const limited = this.#limited();
    const shares = limited.reduce((sum, level) => sum + level.spec.shares, 0);
    for (const level of limited) level.setBounds(seatBounds(level.spec, shares, this.#total));
    this.#tell();
  }

  #limited(): readonly PriorityLevel[] {
    return [...this.#levels.values()].filter(({ spec }) => !spec.isExempt);
  }

  #tell(): void {
    for (const level of this.#limited()) this.#observer.adjusted(level.spec.name, level.figures());
  }
}
