/** Goes on with what is mostly known at once, and only sometimes has to be waited for. */

/** A value, or a promise of it. */
export type Eventually<T> = T | Promise<T>;

/**
 * Goes on with a value as soon as it is known: at once where it is no promise. Each turn of waiting costs about as much
 * as finding an object does, and a request would take half a dozen of them.
 */
export function whenKnown<T, U>(value: Eventually<T>, next: (value: T) => Eventually<U>): Eventually<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
