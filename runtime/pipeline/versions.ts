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

/** A copy of an object in the version that it is stored in, with that version's defaults. */
export function toStored<T extends JsonObject>(stored: VersionTarget, object: T): T {
  const kept = convertTo(stored, object);
  stored.module.functions.applyDefaults(kept);
  return kept;
}

interface VersionTarget {
  readonly apiVersion: string;
  readonly module: Pick<ResourceModule, 'functions'>;
}

/**
 * Versions that differ in more than their schema declare how in a conversion; without one only `apiVersion` changes,
 * and fields that the version does not have are left out. Defaults belong to writing and storing: a version that an
 * object is only read in adds none of its own.
 */
function inVersion<T extends JsonObject>({ apiVersion, module }: VersionTarget, object: T): T {
  Object.assign(object, { apiVersion });
  module.functions.prune(object, () => {});
  return object;
}
