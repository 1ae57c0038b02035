/** Encodes an object once, as the bytes that it is stored and sent as. */
import type { ApiObject, EncodedObject } from '../contract/index.js';
import { encodeObject, encodeWithRevision } from './encode-object.js';
import { attributesOf, type ServedResource } from './served-resource.js';
import { toStored } from './versions.js';

/**
 * Encodes for the store. `kind`, `apiVersion` and the still empty `metadata.resourceVersion` come first, so that the
 * text up to the revision is the same for all objects of a resource and nothing has to be searched for.
 */
export function encodeForStore(resource: ServedResource, object: ApiObject): EncodedObject {
  const { stored } = resource;
  const kept = resource === stored ? object : toStored(resource, object);
  return {
    text: encodeWithRevision(stored, kept, ''),
    revisionAt: stored.head.length,
    attributes: attributesOf(stored, kept),
  };
}

/** Encodes an object as the store would, with the revision that it has; an empty one is left out. */
export const encodeAnswer: (resource: ServedResource, object: ApiObject) => string = encodeObject;
