/** Gives other requests a turn while one takes long. */

/** How long a request may run before others have their turn, in milliseconds. */
const longMs = 20;

/** Resolves once all other waiting work has had a turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Work in pieces of some milliseconds: at each `yield` others may have their turn. Define its generator functions at
 * the top level of a module: a generator function created per request keeps the request in memory until a full garbage
 * collection.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Makes work of pauses alone, without a result. */
export function* stepsOf(pauses: Iterable<undefined>): Steps<void> {
  yield* pauses;
}

/** Makes work that is already done. */
// biome-ignore lint/correctness/useYield: the work has no pauses
export function* done<T>(value: T): Steps<T> {
  return value;
}

/** Does the work at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does short work at once, and long work with pauses for others. */
export function inTurns<T>(steps: Steps<T>, turns = new Turns()): T | Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const others = turns.giveWay();
    if (others) return others.then(() => inTurns(steps, turns));
  }
}

/** Measures the time since others had their turn. A check costs about 30 nanoseconds. */
export class Turns {
  #began = Date.now();

  /** Returns a promise if it is the turn of others, which is rare. */
  giveWay(): Promise<void> | undefined {
    if (Date.now() - this.#began < longMs) return undefined;
    return nextTurn().then(() => {
      this.#began = Date.now();
    });
  }
}

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Works like `Promise.then`, but calls `next` at once for a value that is not a promise. One `await` costs about as
 * much as finding an object, and a request would have half a dozen.
 */
export function thenSync<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Maps all items, and returns a promise only if a result is one. */
export function mapSync<T, U>(items: readonly T[], map: (item: T) => MaybePromise<U>): MaybePromise<readonly U[]> {
  const mapped = items.map(map);
  const ready = mapped.filter(isReady);
  return ready.length === mapped.length ? ready : Promise.all<U>(mapped);
}

const isReady = <T>(value: MaybePromise<T>): value is T => !(value instanceof Promise);
