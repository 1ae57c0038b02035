/** The clock of a test server. It runs as the machine's clock does until a test moves or stops it. */
import type { Clock } from '../runtime/contract/index.js';

/** A moment: a date, its text in ISO 8601, or milliseconds since 1970. */
export type Moment = Date | string | number;

interface Timer {
  /** The monotonic time of the clock at which it acts, milliseconds. */
  readonly due: number;
  readonly act: () => void;
}

/**
 * The most acts that run at their own time during one move. Each open watch has an act for its bookmark every minute,
 * so a move over years would take minutes.
 */
const mostActs = 5_000;

/** The longest time of a timer in Node: 24 days, in milliseconds. */
const longestMs = 2 ** 31 - 1;

export class TestClock implements Clock {
  /** The monotonic time when the clock last started or stopped. */
  #base = 0;
  /** The machine's time when the clock started; `undefined` while it is stopped. */
  #since: number | undefined;
  /** How far the time of day is ahead of the monotonic time. */
  #dayAhead: number;
  readonly #start: { readonly frozen: boolean; readonly at: number | undefined };
  readonly #timers = new Set<Timer>();
  #alarm: NodeJS.Timeout | undefined;
  #closed = false;

  /** Runs from the machine's time, or stops at `frozenAt`, if given. */
  constructor(frozenAt?: Moment) {
    const at = frozenAt === undefined ? undefined : millisecondsOf(frozenAt);
    this.#start = { frozen: at !== undefined, at };
    this.#dayAhead = at ?? Date.now();
    this.#since = at === undefined ? performance.now() : undefined;
  }

  get isFrozen(): boolean {
    return this.#since === undefined;
  }

  /** Returns the time of day. */
  now(): Date {
    return new Date(this.wallMs());
  }

  monotonicMs(): number {
    return this.#base + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  wallMs(): number {
    return Math.floor(this.#dayAhead + this.monotonicMs());
  }

  after(ms: number, act: () => void): () => void {
    const timer: Timer = { due: this.monotonicMs() + Math.max(ms, 0), act };
    this.#timers.add(timer);
    this.#setAlarm();
    return () => {
      if (this.#timers.delete(timer)) this.#setAlarm();
    };
  }

  /** Stops now, or at a later moment, until a test moves the clock. */
  async freeze(at?: Moment): Promise<void> {
    this.#stop();
    if (at !== undefined) await this.set(at);
  }

  /** Runs again from its current time, at the pace of the machine. */
  resume(): void {
    if (this.#since === undefined) this.#since = performance.now();
    this.#setAlarm();
  }

  /**
   * Moves on by milliseconds. Acts that are due run in order, each at its time, with everything that they start without
   * waiting. After 5,000 acts, the clock jumps to the end; the remaining acts run there once, in order. A running clock
   * keeps running.
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`${ms}: must be a number of milliseconds from 0`);
    const isRunning = !this.isFrozen;
    this.#stop();
    const end = this.#base + ms;
    let acts = 0;
    for (let next = this.#next(); next !== undefined && next.due <= end; next = this.#next()) {
      if (++acts > mostActs) break;
      this.#timers.delete(next);
      this.#base = Math.max(this.#base, next.due);
      next.act();
      await settled();
    }
    this.#base = end;
    const late = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
    for (const timer of late) {
      if (!this.#timers.delete(timer)) continue;
      timer.act();
      await settled();
    }
    await settled();
    if (isRunning) this.resume();
  }

  /** Moves on to a moment. For an earlier moment, only the time of day goes back, and no act runs. */
  async set(moment: Moment): Promise<void> {
    const ms = millisecondsOf(moment);
    const ahead = ms - this.wallMs();
    if (ahead >= 0) await this.advance(ahead);
    else this.#dayAhead += ahead;
  }

  /** Restores the first time of day, and whether the clock runs. */
  reset(): void {
    const { frozen, at } = this.#start;
    this.#stop();
    this.#dayAhead = (at ?? Date.now()) - this.#base;
    if (!frozen) this.resume();
  }

  /** Runs no more acts. */
  close(): void {
    this.#closed = true;
    this.#timers.clear();
    this.#setAlarm();
  }

  #stop(): void {
    this.#base = this.monotonicMs();
    this.#since = undefined;
    this.#setAlarm();
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.due < first.due) first = timer;
    return first;
  }

  /** Sets one timer of Node, for the next act, while the clock runs. */
  #setAlarm(): void {
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
    const next = this.isFrozen || this.#closed ? undefined : this.#next();
    if (next === undefined) return;
    const waitMs = Math.min(Math.max(next.due - this.monotonicMs(), 0), longestMs);
    this.#alarm = setTimeout(() => this.#ring(), waitMs);
  }

  #ring(): void {
    const now = this.monotonicMs();
    for (let next = this.#next(); next !== undefined && next.due <= now; next = this.#next()) {
      this.#timers.delete(next);
      next.act();
    }
    this.#setAlarm();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function millisecondsOf(moment: Moment): number {
  const ms = new Date(moment).getTime();
  if (Number.isNaN(ms))
    throw new RangeError(`${String(moment)}: must be a moment; use a Date, or a text as in 2026-01-31T12:00:00Z`);
  return ms;
}
