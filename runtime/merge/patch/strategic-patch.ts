/** Strategic merge patches: merge patches that use the list rules of a kind's schema. */
import type { JsonObject, JsonValue, Result, Schema } from '../../contract/index.js';
import { FromBelow, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { canonicalJson } from '../order.js';
import { itemIdentity, orderItems } from './element-order.js';
import { jsonTypeName, undecodable } from './json-patch-document.js';
import { deleteFromList, type MergedList, type MergeItem, mergeLists, newList } from './merge-lists.js';
import {
  badRetainKeys,
  DIRECTIVE,
  deletedFromMember,
  knowsMember,
  missingMergeKey,
  notAList,
  orderedMember,
  type PatchRule,
  RETAIN_KEYS,
  refuse,
  ruleOf,
  unknownDirective,
} from './patch-schema.js';

/** Checks that a decoded body is a patch of an object. Null is a patch without changes. Fails with `BadRequest`. */
export function decodeStrategicPatch(body: JsonValue): Result<JsonObject> {
  if (body === null) return { ok: true, value: {} };
  if (isObject(body)) return { ok: true, value: body };
  return undecodable(
    `json: cannot unmarshal ${jsonTypeName(body)} into Go value of type map[string]interface {}`,
    false,
  );
}

/**
 * Merges a strategic merge patch into an object. Fails with `BadRequest` if the patch contradicts itself, its lists or
 * the schema. Changes neither argument; the result shares unmerged parts with them.
 * @param schema the kind's schema, as returned by `strategicSchema`.
 * @param drops whether `$patch` is also a directive in new objects; otherwise it is an ordinary member there.
 */
export function applyStrategicPatch(
  object: JsonObject,
  patch: JsonObject,
  schema: Schema | undefined,
  drops = false,
): Result<JsonObject> {
  return mergeAt(object, patch, schema, { level: 0, drops });
}

interface Place {
  readonly level: number;
  readonly drops: boolean;
}

/** Returns a function that merges the items of lists. */
const merging =
  ({ drops }: Place): MergeItem =>
  (live, patch, schema) =>
    mergeAt(live, patch, schema, { level: 0, drops });

const merges = new FromBelow<Result<JsonObject>>({ ok: true, value: {} });

/** Merges at a level. Fields without a schema may nest deeply, and have no merged lists. */
function mergeAt(live: JsonObject, patch: JsonObject, schema: Schema | undefined, place: Place): Result<JsonObject> {
  if (place.level === recursionLevels) {
    return merges.resultOf([patch, live, schema], () => mergeAt(live, patch, schema, { ...place, level: 0 }));
  }
  const directive = getOwn(patch, DIRECTIVE);
  if (directive !== undefined) return replaceObject(patch, directive);
  const retained = retainMembers(live, patch);
  if (!retained.ok) return retained;
  const merged = { ...retained.value };
  const ordered = mergeOrderedLists(merged, patch, schema, place);
  if (!ordered.ok) return ordered;
  deleteValues(merged, patch);
  const below = { ...place, level: place.level + 1 };
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined || isInstruction(key) || ordered.value.has(key)) continue;
    const problem = mergeMember(merged, key, change, ruleOf(schema, key), below);
    if (problem !== undefined) return problem;
  }
  return { ok: true, value: merged };
}

function replaceObject(patch: JsonObject, directive: JsonValue): Result<JsonObject> {
  const { [DIRECTIVE]: _, ...rest } = patch;
  if (directive === 'replace') return { ok: true, value: rest };
  return directive === 'delete' ? { ok: true, value: {} } : unknownDirective(directive, patch);
}

/** Applies the directive of a new object. An unknown directive stays, and is refused later as a member. */
function withoutDirective(change: JsonObject): JsonObject {
  const { [DIRECTIVE]: directive, ...rest } = change;
  if (directive === 'delete') return {};
  return directive === 'replace' ? rest : change;
}

function isInstruction(key: string): boolean {
  return key === RETAIN_KEYS || orderedMember(key) !== undefined || deletedFromMember(key) !== undefined;
}

/**
 * Returns the live object with only the members that the patch retains. They must include all members that the patch
 * sets.
 */
function retainMembers(live: JsonObject, patch: JsonObject): Result<JsonObject> {
  const names = getOwn(patch, RETAIN_KEYS);
  if (names === undefined) return { ok: true, value: live };
  if (!Array.isArray(names)) return badRetainKeys();
  const retained = new Set(names);
  for (const [key, value] of Object.entries(patch)) {
    if (value !== null && value !== undefined && !isInstruction(key) && !retained.has(key)) return badRetainKeys();
  }
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(live)) {
    if (value !== undefined && retained.has(key)) setOwn(kept, key, value);
  }
  return { ok: true, value: kept };
}

/** Merges the lists for which the patch gives an order, in place, and returns their names. */
function mergeOrderedLists(
  merged: JsonObject,
  patch: JsonObject,
  schema: Schema | undefined,
  place: Place,
): Result<Set<string>> {
  const done = new Set<string>();
  for (const instruction of Object.keys(patch)) {
    const key = orderedMember(instruction);
    if (key === undefined) continue;
    const order = patch[instruction] ?? null;
    if (!Array.isArray(order)) return notAList(order);
    if (!knowsMember(schema, key)) return refuse(`unable to find a field for the json field "${key}"`);
    const lists = mergeInOrder(getOwn(merged, key), getOwn(patch, key), order, ruleOf(schema, key), place);
    if (!lists.ok) return lists;
    if (lists.value !== undefined) setOwn(merged, key, lists.value);
    done.add(key);
  }
  return { ok: true, value: done };
}

function mergeInOrder(
  live: JsonValue | undefined,
  patch: JsonValue | undefined,
  order: JsonValue[],
  rule: PatchRule,
  place: Place,
): Result<JsonValue[] | undefined> {
  if (live !== undefined && !Array.isArray(live)) return notAList(live);
  if (patch !== undefined && !Array.isArray(patch)) return notAList(patch);
  const problem = setOrderProblem(patch ?? [], order, rule.mergeKey);
  if (problem !== undefined) return problem;
  if (live === undefined && patch === undefined) return { ok: true, value: undefined };
  const merged = mergeUnordered(live, patch, rule, place);
  if (!merged.ok) return merged;
  return { ok: true, value: orderItems(merged.value.items, order, merged.value.orderedBy, rule.mergeKey) };
}

/** Merges two lists without ordering. A patch with only an order changes no items. */
function mergeUnordered(
  live: readonly JsonValue[] = [],
  patch: readonly JsonValue[] | undefined,
  rule: PatchRule,
  place: Place,
): Result<MergedList> {
  if (patch === undefined) return { ok: true, value: { items: [...live], orderedBy: live } };
  if (live.length === 0) return { ok: true, value: { items: newList(patch, rule), orderedBy: live } };
  return mergeLists(live, patch, rule, merging(place));
}

/** Removes values from lists of scalars, in place. Does nothing if the list does not exist. */
function deleteValues(merged: JsonObject, patch: JsonObject): void {
  for (const instruction of Object.keys(patch)) {
    const key = deletedFromMember(instruction);
    const values = patch[instruction];
    const list = key === undefined ? undefined : getOwn(merged, key);
    if (key !== undefined && Array.isArray(list) && Array.isArray(values))
      setOwn(merged, key, deleteFromList(list, values));
  }
}

/** Merges one member in place. Returns the failure, if any. */
function mergeMember(
  merged: JsonObject,
  key: string,
  change: JsonValue,
  rule: PatchRule,
  place: Place,
): Result<never> | undefined {
  const live = getOwn(merged, key);
  if (change === null) {
    delete merged[key];
    return undefined;
  }
  const result = mergeValue(live, change, rule, place);
  if (!result.ok) return result;
  setOwn(merged, key, result.value);
  return undefined;
}

function mergeValue(live: JsonValue | undefined, change: JsonValue, rule: PatchRule, place: Place): Result<JsonValue> {
  if (isObject(live) && isObject(change) && !rule.replace) return mergeAt(live, change, rule.schema, place);
  if (live === undefined && place.drops && isObject(change)) return { ok: true, value: withoutDirective(change) };
  if (!Array.isArray(change)) return { ok: true, value: change };
  if (!Array.isArray(live)) return { ok: true, value: newList(change, rule) };
  const merged = mergeLists(live, change, rule, merging(place));
  return merged.ok ? { ok: true, value: merged.value.items } : merged;
}

/** Returns a failure if `order` does not name all items that the patch sets, in the same sequence. */
function setOrderProblem(
  patch: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): Result<never> | undefined {
  if (mergeKey !== undefined) {
    for (const item of order) {
      if (!isObject(item)) return refuse('an item of $setElementOrder is not a map');
      if (itemIdentity(item, mergeKey) === undefined) return missingMergeKey(item, mergeKey);
    }
  }
  const items = mergeKey === undefined ? patch : patch.filter((item) => !isDirected(item));
  let next = 0;
  for (const item of order) {
    const wanted = items[next];
    if (wanted !== undefined && itemIdentity(wanted, mergeKey) === itemIdentity(item, mergeKey)) next++;
  }
  return next < items.length ? refuse(mismatch(patch, order)) : undefined;
}

function isDirected(item: JsonValue): boolean {
  return isObject(item) && getOwn(item, DIRECTIVE) !== undefined;
}

function mismatch(patch: readonly JsonValue[], order: readonly JsonValue[]): string {
  const show = (list: readonly JsonValue[]): string => canonicalJson([...list]);
  return `The order in patch list:\n${show(patch)}\n doesn't match $setElementOrder list:\n${show(order)}\n`;
}
