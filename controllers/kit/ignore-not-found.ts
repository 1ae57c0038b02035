/** Ignores that an object is gone. */
import { isNotFound } from '../../client/index.js';

/**
 * Returns `undefined` if an error of a request says that the object does not exist, for `catch`. Throws any other error
 * again.
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
