/** Encodes an object once, as the bytes that it is stored and sent as. */
import { encodeJson } from '../codec/json.js';
import type { ApiObject, EncodedObject, JsonObject } from '../contract/index.js';
import { attributesOf, type ServedResource } from './served-resource.js';
import { toStored } from './versions.js';

/**
 * Encodes for the store. `kind`, `apiVersion` and the still empty `metadata.resourceVersion` come first, so that the
 * text up to the revision is the same for all objects of a resource and nothing has to be searched for.
 */
export function encodeForStore(resource: ServedResource, object: ApiObject): EncodedObject {
  const { stored } = resource;
  const kept = resource === stored ? object : toStored(stored, object);
  return {
    text: encodeWithRevision(stored, kept, ''),
    revisionAt: stored.head.length,
    attributes: attributesOf(stored, kept),
  };
}

/** Encodes an object as the store would, with a given revision; an empty one is left out. */
export function encodeAnswer(resource: ServedResource, object: ApiObject): string {
  const revision = object.metadata.resourceVersion ?? '';
  const text = encodeWithRevision(resource, object, revision);
  return revision === '' ? text.replace('"resourceVersion":"",', '') : text;
}

function encodeWithRevision(resource: ServedResource, object: ApiObject, revision: string): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...body } = object;
  const { resourceVersion: _resourceVersion, ...meta } = metadata;
  return `${resource.head}${revision}"${continued(meta)}${continued(body)}`;
}

/** The rest of an object whose beginning has been written: `,"a":1}`, or `}` where nothing is left. */
function continued(rest: JsonObject): string {
  const text = encodeJson(rest);
  return text === '{}' ? '}' : `,${text.slice(1)}`;
}
