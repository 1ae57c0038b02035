/** Reads of objects that are in a form that no generated type describes, such as that of another version. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isString } from '../../runtime/objects/guards.js';

/** The objects of the list at a key; an item that is none reads as an empty object, so that places stay right. */
export const objectsAt = (object: JsonObject | undefined, key: string): readonly JsonObject[] =>
  listAt(object, key).map((item) => (isObject(item) ? item : {}));

/** The texts of the list at a key; an item that is none reads as the empty text. */
export const textsAt = (object: JsonObject | undefined, key: string): readonly string[] =>
  listAt(object, key).map((item) => (isString(item) ? item : ''));

function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  const list = object === undefined ? undefined : getOwn(object, key);
  return isArray(list) ? list : [];
}
