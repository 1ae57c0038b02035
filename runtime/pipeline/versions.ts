/** Reads stored objects in another version of their resource than the one they are stored in. */
import type { ApiObject, Entry } from '../contract/index.js';
import type { ServedResource } from './served-resource.js';
import { objectOf } from './stored-object.js';

/**
 * The object of an entry in a served version. Versions that differ in more than their schema declare how in a
 * conversion; without one only `apiVersion` changes, and the version's own pruning and defaults apply.
 */
export function readAs(resource: ServedResource, entry: Entry): ApiObject {
  const object = objectOf(entry);
  if (resource === resource.stored) return object;
  object.apiVersion = resource.apiVersion;
  resource.module.functions.prune(object, () => {});
  resource.module.functions.applyDefaults(object);
  return object;
}
