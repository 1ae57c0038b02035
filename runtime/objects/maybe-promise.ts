/** Goes on with what is mostly known at once, and only sometimes has to be waited for. */

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Goes on with a value as soon as it is known: at once where it is no promise. Each turn of waiting costs about as much
 * as finding an object does, and a request would take half a dozen of them.
 */
export function thenSync<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
