/** The objects of a resource for authorizers, which follow them before anything is served. */
import type { FollowedPart, JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { placeOf } from '../../runtime/objects/lines.js';

/** Puts and takes away the objects of one resource; the namespace of objects of the cluster is empty. */
export interface ObjectHandler {
  readonly put: (namespace: string, name: string, object: JsonObject) => void;
  readonly remove: (namespace: string, name: string) => void;
}

/** Hands the objects below a prefix to a handler, as they are stored. */
export const objectPart = (prefix: string, { put, remove }: ObjectHandler): FollowedPart => ({
  prefix,
  put: ({ key, bytes }) => put(...placeOf(prefix, key), read(bytes)),
  remove: (key) => remove(...placeOf(prefix, key)),
});

function read(bytes: Uint8Array): JsonObject {
  const object: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  return isObject(object) ? object : {};
}
