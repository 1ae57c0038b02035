/** Applies a JSON Merge Patch (RFC 7396) to a document. */
import type { JsonObject, JsonValue, Result } from '../../contract/index.js';
import { Later, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { jsonTypeName, undecodable } from './json-patch-document.js';

/**
 * Checks that a decoded body is a merge patch of an object. Fails with `BadRequest`.
 * @param checked whether field validation checks the body (every level except `Ignore`). Without it, a list is a valid
 * patch that replaces the object.
 */
export function decodeMergePatch(body: JsonValue, checked: boolean): Result<JsonObject | JsonValue[]> {
  if (isObject(body) || (!checked && Array.isArray(body))) return { ok: true, value: body };
  if (body === null || !checked) return undecodable('Invalid JSON Patch', false);
  const found = jsonTypeName(body);
  return undecodable(`json: cannot unmarshal ${found} into Go value of type map[string]interface {}`, true);
}

/**
 * Merges a patch into a target: objects member by member, other values as a whole. Null removes a member. Changes
 * neither argument; the result shares unmerged parts with them. Takes time linear in the patch.
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  return mergedAt(target, patch, 0);
}

const later = new Later();

function mergedAt(target: JsonValue | undefined, patch: JsonValue, level: number): JsonValue {
  if (!isObject(patch)) return patch;
  const live = isObject(target) ? target : {};
  const merged = { ...live };
  if (level === recursionLevels) later.run(() => mergeInto(merged, live, patch, 0));
  else mergeInto(merged, live, patch, level);
  return merged;
}

function mergeInto(merged: JsonObject, target: JsonObject, patch: JsonObject, level: number): void {
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined) continue;
    if (change === null) delete merged[key];
    else setOwn(merged, key, mergedAt(getOwn(target, key), change, level + 1));
  }
}
