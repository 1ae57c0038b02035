/** Decides when to count a quota again: not too often, and not while charged writes are in flight. */
import type { Clock } from '../../client/index.js';

/** By this time after its charge, a write was stored or has failed, milliseconds. */
export const settledAfterMs = 500;

/** The pause after a count is this many times as long as the count. */
const restFactor = 10;

interface Course {
  revision: string;
  /** The time at which the quota was first seen at the revision. Long ago if the controller wrote the revision. */
  since: number;
  /** The time until which the last count is valid. */
  countedUntil: number;
  restsUntil: number;
}

export class Pace {
  readonly #clock: Clock;
  readonly #courses = new Map<string, Course>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the current revision of the quota. */
  see(key: string, revision: string): void {
    const course = this.#of(key);
    if (course.revision === revision) return;
    course.revision = revision;
    course.since = this.#clock.monotonicMs();
  }

  /** Records that the controller wrote this revision. */
  wrote(key: string, revision: string): void {
    const course = this.#of(key);
    course.revision = revision;
    course.since = Number.NEGATIVE_INFINITY;
  }

  /** Returns for how many milliseconds the last count stays valid; 0 to count now. */
  counted(key: string): number {
    return this.#until(this.#of(key).countedUntil);
  }

  /** Records that a count starts. Changes from here on make it outdated. */
  begin(key: string): void {
    this.#of(key).countedUntil = Number.POSITIVE_INFINITY;
  }

  /** Marks the quota as outdated, now or in some milliseconds. */
  outdate(key: string, afterMs = 0): void {
    const course = this.#of(key);
    course.countedUntil = Math.min(course.countedUntil, this.#clock.monotonicMs() + afterMs);
  }

  /** Returns the milliseconds until the quota may be counted again. */
  rest(key: string): number {
    return this.#until(this.#of(key).restsUntil);
  }

  /** Runs a count. The longer it takes, the longer the pause after it. */
  async counting<T>(key: string, count: () => Promise<T>): Promise<T> {
    const began = this.#clock.monotonicMs();
    const result = await count();
    const now = this.#clock.monotonicMs();
    this.#of(key).restsUntil = now + (now - began) * restFactor;
    return result;
  }

  /** Returns the milliseconds until every write that was charged up to now is stored or has failed. */
  unsettled(key: string): number {
    return this.#until(this.#of(key).since + settledAfterMs);
  }

  forget(key: string): void {
    this.#courses.delete(key);
  }

  #until(time: number): number {
    return Math.max(0, time - this.#clock.monotonicMs());
  }

  #of(key: string): Course {
    const known = this.#courses.get(key);
    if (known) return known;
    const course = {
      revision: '',
      since: Number.NEGATIVE_INFINITY,
      countedUntil: Number.NEGATIVE_INFINITY,
      restsUntil: 0,
    };
    this.#courses.set(key, course);
    return course;
  }
}
