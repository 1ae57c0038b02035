/** Ignores that an object is gone. */
import { isNotFound } from '../../client/index.js';

/** For `catch` of a request: returns `undefined` if the object does not exist, and throws any other error again. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
