/** Makes an object another one in place, as mutating plugins have to. */
import type { ApiObject } from '../../runtime/contract/index.js';

/** Makes an object the same as another; parts are shared. */
export function become(object: ApiObject, other: ApiObject): void {
  for (const key of Object.keys(object)) if (!Object.hasOwn(other, key)) delete object[key];
  Object.assign(object, other);
}
