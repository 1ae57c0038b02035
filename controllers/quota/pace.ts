/** Decides when a quota is to be counted again: not more often than is good, and not while what it says is under way. */
import type { Clock } from '../../client/index.js';

/** An object is stored, or its write has failed, at most so long after it was charged, milliseconds. */
export const settledAfterMs = 500;

/** Counting takes one part in so many of the time at most. */
const restFactor = 10;

interface Course {
  revision: string;
  /** When the quota was first seen at the revision; long ago where that is the controller's own. */
  since: number;
  /** Until when the last count is good enough. */
  countedUntil: number;
  restsUntil: number;
}

export class Pace {
  readonly #clock: Clock;
  readonly #courses = new Map<string, Course>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The quota has this revision now. */
  see(key: string, revision: string): void {
    const course = this.#of(key);
    if (course.revision === revision) return;
    course.revision = revision;
    course.since = this.#clock.monotonicMs();
  }

  /** The controller itself has written this revision. */
  wrote(key: string, revision: string): void {
    const course = this.#of(key);
    course.revision = revision;
    course.since = Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds for which the last count is good enough; 0 where the quota is to be counted. */
  counted(key: string): number {
    return this.#until(this.#of(key).countedUntil);
  }

  /** The quota is counted from here on: what happens meanwhile outdates it again. */
  begin(key: string): void {
    this.#of(key).countedUntil = Number.POSITIVE_INFINITY;
  }

  /** Something happened, or will have in some milliseconds: the quota is to be counted again. */
  outdate(key: string, afterMs = 0): void {
    const course = this.#of(key);
    course.countedUntil = Math.min(course.countedUntil, this.#clock.monotonicMs() + afterMs);
  }

  /** Milliseconds until the quota may be counted again. */
  rest(key: string): number {
    return this.#until(this.#of(key).restsUntil);
  }

  /** Counts; the longer it takes, the longer the quota rests after it. */
  async counting<T>(key: string, count: () => Promise<T>): Promise<T> {
    const began = this.#clock.monotonicMs();
    const result = await count();
    const now = this.#clock.monotonicMs();
    this.#of(key).restsUntil = now + (now - began) * restFactor;
    return result;
  }

  /** Milliseconds until all that was charged up to now is stored or has failed. */
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
