/** Reads stored entries into objects, fills in their defaults, and encodes them. */
import { decodeEncoded, encodeJson } from '../codec/json.js';
import type { ApiObject, Entry, JsonObject } from '../contract/index.js';
import { isApiObject } from '../objects/guards.js';
import { mostDefaultBytes, overfills } from './repeated-defaults.js';
import type { ServedResource, VersionCode } from './served-resource.js';

/**
 * Returns a fresh copy of an entry's object, which the caller may change. Entries hold only objects that the server
 * encoded, and storage has checked their bytes. So anything else is a defect of the program, and throws.
 */
export function objectOf(entry: Entry): ApiObject {
  const decoded = decodeEncoded(entry.bytes);
  if (isApiObject(decoded)) return decoded;
  throw new Error(`stored entry ${entry.key} at revision ${entry.revision} is not an API object`);
}

/** Returns the JSON of an object with its revision. Leaves out an empty revision. */
export function encodeObject(resource: Pick<ServedResource, 'head'>, object: ApiObject): string {
  const revision = object.metadata.resourceVersion ?? '';
  const text = encodeWithRevision(resource, object, revision);
  return revision === '' ? text.replace('"resourceVersion":"",', '') : text;
}

/**
 * Returns the JSON of an object with a revision, even an empty one. Makes the text in one go, because joining pieces
 * would copy them.
 */
export function encodeWithRevision(
  { head }: Pick<ServedResource, 'head'>,
  object: ApiObject,
  revision: string,
): string {
  const text = encodeJson(isInOrder(object) ? withRevision(object, revision) : reordered(object, revision));
  return text.startsWith(head) ? text : encodeInPieces(head, object, revision);
}

/** Returns whether the first keys are already in order, as in objects from the store. */
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

/** Returns a copy in the same order, which the engine makes at once instead of key by key. */
const withRevision = (object: ApiObject, revision: string): JsonObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: revision },
});

/**
 * Returns a copy with the first keys in order. Writes out these keys, and spreads the rest behind them. If an object
 * begins with a spread, V8 gives it a layout of its own as soon as a key is added, and the layout outlives the request.
 */
function reordered({ kind, apiVersion, metadata, ...body }: ApiObject, revision: string): JsonObject {
  const meta: JsonObject = { resourceVersion: revision, ...metadata };
  meta.resourceVersion = revision;
  return { kind, apiVersion, metadata: meta, ...body };
}

/** Encodes an object with a whole number as a key, which JavaScript puts first. */
function encodeInPieces(head: string, object: ApiObject, revision: string): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...body } = object;
  const { resourceVersion: _resourceVersion, ...meta } = metadata;
  return `${head}${revision}"${continued(meta)}${continued(body)}`;
}

/** Returns the rest of the JSON of an object after its first keys: `,"a":1}`, or `}` if nothing is left. */
function continued(rest: JsonObject): string {
  const text = encodeJson(rest);
  return text === '{}' ? '}' : `,${text.slice(1)}`;
}

/** Fills in the defaults of an object, in place. If they would be too large, fills in nothing and returns false. */
export function applyDefaults(resource: VersionCode, object: JsonObject): boolean {
  const place = resource.repeatedDefaults;
  if (place && overfills(place, object)) return false;
  resource.functions.applyDefaults(object);
  return true;
}

/** A decoder's message for an object without its defaults. */
export const overfilled = `the defaults of its fields would add more than ${mostDefaultBytes} bytes`;
