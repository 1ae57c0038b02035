/** Reads stored objects in another version than the one they are stored in, and writes them from there. */

import type { ApiObject, Attributes, Entry, JsonObject, TypeMismatch } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { encodeObject } from './encode-object.js';
import type { ServedResource } from './served-resource.js';
import { objectOf } from './stored-object.js';

/** What conversion needs to know of a version. */
export type ConvertibleVersion = Pick<ServedResource, 'apiVersion' | 'module' | 'conversion'>;

/** A fresh copy of an entry's object in the version of a resource, free to be changed. */
export function readAs(resource: ServedResource, entry: Entry): ApiObject {
  const object = asCurrent(resource.stored, objectOf(entry));
  return resource === resource.stored ? object : fromStored(resource, object);
}

/** The bytes of an entry in the stored version, which are its own unless an earlier stored version wrote them. */
export function storedBytes(stored: ServedResource, entry: Entry): Uint8Array {
  if (!isOutdated(entry)) return entry.bytes;
  return Buffer.from(encodeObject(stored, readAs(stored, entry)));
}

/** Whether an entry was written when objects were stored in another version. */
export const isOutdated = ({ attributes }: { readonly attributes: Attributes }): boolean =>
  attributes.outdated !== undefined;

/** An object as it was stored once, in the version that is stored now; changed in place. */
export function asCurrent(stored: ServedResource, object: ApiObject): ApiObject {
  if (object.apiVersion === stored.apiVersion) return object;
  const older = stored.sibling(object.apiVersion);
  if (older) intoStored(older, stored, object);
  // A version that nobody knows any more has nothing to tell of its fields.
  else inVersion(stored, object);
  stored.module.functions.applyDefaults(object);
  return object;
}

/** A copy of an object of one version of a resource in another of them, without defaults. */
export function convertBetween<T extends JsonObject>(from: ServedResource, to: ServedResource, object: T): T {
  const copy = clone(object);
  if (from !== from.stored) intoStored(from, from.stored, copy);
  return to === to.stored ? copy : fromStored(to, copy);
}

/** A copy of an object in the version that it is stored in, with that version's defaults. */
export function toStored<T extends JsonObject>(resource: ServedResource, object: T): T {
  const kept = clone(object);
  if (resource === resource.stored) return kept;
  intoStored(resource, resource.stored, kept);
  resource.stored.module.functions.applyDefaults(kept);
  return kept;
}

/** Brings an object of the stored version into another one, in place. */
export function fromStored<T extends JsonObject>(version: ConvertibleVersion, object: T): T {
  version.conversion?.fromStored(object);
  inVersion(version, object);
  return object;
}

/** The way back, in place; the mistake is that of a value which the stored version cannot have. */
export function intoStored(
  version: ConvertibleVersion,
  stored: ConvertibleVersion,
  object: JsonObject,
): TypeMismatch | undefined {
  version.conversion?.toStored(object);
  return inVersion(stored, object);
}

/**
 * Makes an object one of a version whose fields it has by now: what is always there or never empty in that version is
 * seen to, and what it does not know is left out. Defaults belong to writing and storing: a version that an object is
 * only read in adds none of its own.
 */
function inVersion({ apiVersion, module }: ConvertibleVersion, object: JsonObject): TypeMismatch | undefined {
  Object.assign(object, { apiVersion, kind: module.names.kind });
  const mismatch = module.decoding === 'typed' ? module.functions.normalize?.(object) : undefined;
  module.functions.prune(object, () => {});
  return mismatch;
}
