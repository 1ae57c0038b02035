/** Strategic merge patches: merge patches that know the lists of a kind. */
import type { JsonObject, JsonValue, Result, Schema } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { jsonTypeName, undecodable } from '../json-patch-document.js';
import { mergeObjects } from './merge-objects.js';

/** Checks that a decoded body is a patch of an object; null is one that changes nothing. Fails with `BadRequest`. */
export function decodeStrategicPatch(body: JsonValue): Result<JsonObject> {
  if (body === null) return { ok: true, value: {} };
  if (isObject(body)) return { ok: true, value: body };
  return undecodable(
    `json: cannot unmarshal ${jsonTypeName(body)} into Go value of type map[string]interface {}`,
    false,
  );
}

/**
 * The object with a strategic merge patch merged in. Fails with `BadRequest` where the patch contradicts itself, its
 * lists or the schema. Neither argument is changed; the result shares with them what was not merged.
 * @param schema the kind's, as `strategicSchema` returns it.
 */
export function applyStrategicPatch(object: JsonObject, patch: JsonObject, schema: Schema): Result<JsonObject> {
  return mergeObjects(object, patch, schema);
}
