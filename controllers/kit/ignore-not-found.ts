/** Goes on where an object is gone already. */
import { isNotFound } from '../../client/index.js';

/** For `catch` of a request: nothing where the object is not there; throws every other error again. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
