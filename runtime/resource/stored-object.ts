/** Reads stored entries into objects, fills in their defaults, and encodes them. */
import { decodeEncoded, encodeJson } from '../codec/json.js';
import type { ApiObject, Entry, JsonObject } from '../contract/index.js';
import { isApiObject } from '../objects/guards.js';
import { mostDefaultBytes, overfills } from './repeated-defaults.js';
import type { ServedResource, VersionCode } from './served-resource.js';

/**
 * A fresh copy of an entry's object, free to be changed. Entries hold only what the server itself encoded, and storage
 * has checked their bytes, so anything else here is a defect of the program and thrown as one.
 */
export function objectOf(entry: Entry): ApiObject {
  const decoded = decodeEncoded(entry.bytes);
  if (isApiObject(decoded)) return decoded;
  throw new Error(`stored entry ${entry.key} at revision ${entry.revision} is not an API object`);
}

/** JSON of an object with its revision; an empty one is left out. */
export function encodeObject(resource: Pick<ServedResource, 'head'>, object: ApiObject): string {
  const revision = object.metadata.resourceVersion ?? '';
  const text = encodeWithRevision(resource, object, revision);
  return revision === '' ? text.replace('"resourceVersion":"",', '') : text;
}

/**
 * JSON of an object with a revision, even an empty one. The text is made in one go: pieces would be copied to be
 * joined.
 */
export function encodeWithRevision(
  { head }: Pick<ServedResource, 'head'>,
  object: ApiObject,
  revision: string,
): string {
  const text = encodeJson(isInOrder(object) ? withRevision(object, revision) : reordered(object, revision));
  return text.startsWith(head) ? text : encodeInPieces(head, object, revision);
}

/** Checks whether the first keys are in order already, as in objects that come from the store. */
function isInOrder(object: ApiObject): boolean {
  return beginsWith(object, envelopeKeys) && beginsWith(object.metadata, metadataKeys);
}

const envelopeKeys = ['kind', 'apiVersion', 'metadata'] as const;
const metadataKeys = ['resourceVersion'] as const;

function beginsWith(object: JsonObject, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in object) {
    if (key !== keys[at]) return false;
    if (++at === keys.length) return true;
  }
  return false;
}

/** A copy that keeps its order, which the engine makes at once instead of key by key. */
const withRevision = (object: ApiObject, revision: string): JsonObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: revision },
});

/**
 * The first keys are written out and the rest spread behind them. V8 gives an object that begins with a spread a layout
 * of its own as soon as a key is added, and the layout outlives the request.
 */
function reordered({ kind, apiVersion, metadata, ...body }: ApiObject, revision: string): JsonObject {
  const meta: JsonObject = { resourceVersion: revision, ...metadata };
  meta.resourceVersion = revision;
  return { kind, apiVersion, metadata: meta, ...body };
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

/** Changes the object in place. Where its defaults would be too much, nothing is filled in, and the answer is false. */
export function applyDefaults(resource: VersionCode, object: JsonObject): boolean {
  const place = resource.repeatedDefaults;
  if (place && overfills(place, object)) return false;
  resource.functions.applyDefaults(object);
  return true;
}

/** How a decoder says that an object was left without defaults. */
export const overfilled = `the defaults of its fields would add more than ${mostDefaultBytes} bytes`;
