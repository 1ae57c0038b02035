/** Encodes an object as the store does: what all objects of a resource begin with comes first. */
import { encodeJson } from '../codec/json.js';
import type { ApiObject, JsonObject } from '../contract/index.js';
import type { ServedResource } from './served-resource.js';

/** JSON of an object with its revision; an empty one is left out. */
export function encodeObject(resource: Pick<ServedResource, 'head'>, object: ApiObject): string {
  const revision = object.metadata.resourceVersion ?? '';
  const text = encodeWithRevision(resource, object, revision);
  return revision === '' ? text.replace('"resourceVersion":"",', '') : text;
}

/** JSON of an object with a revision, be it empty. */
export function encodeWithRevision(
  { head }: Pick<ServedResource, 'head'>,
  object: ApiObject,
  revision: string,
): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...body } = object;
  const { resourceVersion: _resourceVersion, ...meta } = metadata;
  return `${head}${revision}"${continued(meta)}${continued(body)}`;
}

/** The rest of an object whose beginning has been written: `,"a":1}`, or `}` where nothing is left. */
function continued(rest: JsonObject): string {
  const text = encodeJson(rest);
  return text === '{}' ? '}' : `,${text.slice(1)}`;
}
