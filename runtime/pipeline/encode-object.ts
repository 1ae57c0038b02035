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

/** What comes first, in this order. */
const envelope: JsonObject = { kind: '', apiVersion: '', metadata: {} };

/** JSON of an object with a revision, be it empty. */
export function encodeWithRevision(
  { head }: Pick<ServedResource, 'head'>,
  object: ApiObject,
  revision: string,
): string {
  const meta: JsonObject = { resourceVersion: revision, ...object.metadata };
  meta.resourceVersion = revision;
  // A key that is spread again stays in its place. The text is made in one go: pieces would be copied to be joined.
  const ordered: JsonObject = { ...envelope, ...object };
  ordered.metadata = meta;
  const text = encodeJson(ordered);
  return text.startsWith(head) ? text : encodeInPieces(head, object, revision);
}

/** For an object that has a whole number for a key, which JavaScript puts first. */
function encodeInPieces(head: string, object: ApiObject, revision: string): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...body } = object;
  const { resourceVersion: _resourceVersion, ...meta } = metadata;
  return `${head}${revision}"${continued(meta)}${continued(body)}`;
}

/** The rest of an object whose beginning has been written: `,"a":1}`, or `}` where nothing is left. */
function continued(rest: JsonObject): string {
  const text = encodeJson(rest);
  return text === '{}' ? '}' : `,${text.slice(1)}`;
}
