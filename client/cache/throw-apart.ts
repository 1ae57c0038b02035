/** Errors of functions that users hand over, which must not keep others from being told. */

/** Throws by itself, once what runs now is done: it ends up where uncaught errors do. */
export function throwApart(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
