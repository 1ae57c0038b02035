/** Reads stored objects in another version of their resource than the one they are stored in. */
import type { ApiObject, Entry, JsonObject, ResourceModule } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import type { ServedResource } from './served-resource.js';
import { objectOf } from './stored-object.js';

/** The object of an entry in a served version. */
export function readAs(resource: ServedResource, entry: Entry): ApiObject {
  const object = objectOf(entry);
  return resource === resource.stored ? object : inVersion(resource, object);
}

/** A copy of an object in another version of its resource. */
export function convertTo<T extends JsonObject>(resource: VersionTarget, object: T): T {
  return inVersion(resource, clone(object));
}

interface VersionTarget {
  readonly apiVersion: string;
  readonly module: Pick<ResourceModule, 'functions'>;
}

/**
 * Versions that differ in more than their schema declare how in a conversion; without one only `apiVersion` changes,
 * and the version's own pruning and defaults apply.
 */
function inVersion<T extends JsonObject>({ apiVersion, module }: VersionTarget, object: T): T {
  Object.assign(object, { apiVersion });
  module.functions.prune(object, () => {});
  module.functions.applyDefaults(object);
  return object;
}
