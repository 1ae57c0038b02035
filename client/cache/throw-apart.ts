/** Throws errors of users' functions in a task of their own, so that they do not stop the calls of other functions. */

/** Throws an error after the current task, as an uncaught error. */
export function throwApart(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
