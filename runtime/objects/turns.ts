/** Lets other requests have their turn while one takes long. */

/** How long a request may take before others have their turn, milliseconds. */
const longMs = 20;

/** Resolves once what else waits for the processor has had its turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Work in pieces of some milliseconds: at each `yield` others may have their turn. Its generator functions belong to
 * modules: one that a request makes for itself stays in memory, with the request, until a full collection.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Makes work that only pauses, without a result. */
export function* stepsOf(pauses: Iterable<undefined>): Steps<void> {
  yield* pauses;
}

/** Work that is done already. */
// biome-ignore lint/correctness/useYield: there is nothing left to pause in
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

/** The time that a request has taken since others had their turn. Asking costs about 30 nanoseconds. */
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
 * Works like `Promise.then`, but calls `next` at once for a value that is not a promise. One wait costs about as much
 * as finding an object, and a request would have half a dozen of them.
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
