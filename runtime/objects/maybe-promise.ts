/** Values that are mostly known at once, and only sometimes have to be waited for. */

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * As `Promise.then`, but synchronous where the value is no promise. Waiting once costs about as much as finding an
 * object, and a request would wait half a dozen times.
 */
export function thenSync<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
