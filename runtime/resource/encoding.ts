/** Encodes an object once, as the bytes that it is stored and sent as. */
import type { ApiObject, EncodedObject, Result } from '../contract/index.js';
import { isApiObject } from '../objects/guards.js';
import { applyDefaults } from './apply-defaults.js';
import { attributesOf } from './selectable-fields.js';
import type { ServedResource } from './served-resource.js';
import { encodeObject, encodeWithRevision } from './stored-object.js';
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

/** The same for a write: an object of a version that a webhook converts from is converted by that first. */
export async function encodeForWrite(resource: ServedResource, object: ApiObject): Promise<Result<EncodedObject>> {
  const { stored } = resource;
  const remote = resource === stored ? undefined : stored.remote;
  if (!remote) return { ok: true, value: encodeForStore(resource, object) };
  const converted = await remote.convert([object], stored.apiVersion);
  if (!converted.ok) return converted;
  const [kept] = converted.value;
  if (!isApiObject(kept)) throw new Error('a conversion yielded no object');
  stored.functions.prune(kept, () => {});
  applyDefaults(stored, kept);
  return { ok: true, value: encodeForStore(stored, kept) };
}

/** Encodes an object as the store would, with the revision that it has; an empty one is left out. */
export const encodeAnswer: (resource: ServedResource, object: ApiObject) => string = encodeObject;
