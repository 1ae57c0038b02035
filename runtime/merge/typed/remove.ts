/** Removes paths from a value, or keeps only these paths. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { FromBelow, recursionLevels } from '../../objects/from-below.js';
import { isObject, setOwn } from '../../objects/guards.js';
import { EMPTY, type FieldSet } from '../field-set.js';
import { fieldElement } from '../path-element.js';
import { granularList, granularMap, type ListPlan, type MapPlan, memberType, type TypePlan } from '../type-plan.js';
import { storedItemElement } from './list-items.js';

/**
 * Removes the members and items in the set. A granular container without any members left becomes null. The result
 * shares parts in which nothing is removed.
 */
export const removeItems = (type: TypePlan, value: JsonValue, set: FieldSet): JsonValue =>
  removeAt(type, value, set, 0);

const remaining = new FromBelow<JsonValue>(null);

function removeAt(type: TypePlan, value: JsonValue, set: FieldSet, level: number): JsonValue {
  if (set.children.size === 0 || typeof value !== 'object' || value === null) return value;
  if (level === recursionLevels) {
    return remaining.resultOf([value, set, type], () => removeAt(type, value, set, 0));
  }
  const map = granularMap(type, value);
  if (map !== undefined && !Array.isArray(value)) return removeMembers(map, value, set, level);
  const list = granularList(type, value);
  return list !== undefined && Array.isArray(value) ? removeListItems(list, value, set, level) : value;
}

function removeMembers(plan: MapPlan, value: JsonObject, set: FieldSet, level: number): JsonValue {
  const kept: JsonObject = {};
  let count = 0;
  let changed = false;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    const field = plan.fields.get(key);
    const subset = set.children.get(field?.element ?? fieldElement(key)) ?? EMPTY;
    const left = subset.owned ? undefined : removeAt(field?.type ?? memberType(plan, key), member, subset, level + 1);
    if (left !== member) changed = true;
    if (left === undefined) continue;
    count++;
    setOwn(kept, key, left);
  }
  if (!changed) return value;
  return count === 0 ? null : kept;
}

function removeListItems(plan: ListPlan, items: readonly JsonValue[], set: FieldSet, level: number): JsonValue {
  const kept: JsonValue[] = [];
  for (const [position, item] of items.entries()) {
    const subset = set.children.get(storedItemElement(plan, item, position)) ?? EMPTY;
    if (!subset.owned) kept.push(removeAt(plan.items, item, subset, level + 1));
  }
  return kept.length === 0 ? null : kept;
}

/**
 * Keeps only the members and items in the set, and the containers around them. Returns null if nothing is left. A
 * granular container that is in the set without any of its parts becomes null too.
 */
export function extractItems(type: TypePlan, value: JsonValue, set: FieldSet): JsonValue {
  const map = granularMap(type, value);
  if (map !== undefined) return isObject(value) ? extractMembers(map, value, set) : value;
  const list = granularList(type, value);
  return list !== undefined && Array.isArray(value) ? extractListItems(list, value, set) : value;
}

function extractMembers(plan: MapPlan, value: JsonObject, set: FieldSet): JsonValue {
  const kept: JsonObject = {};
  let count = 0;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const field = plan.fields.get(key);
    const subset = set.children.get(field?.element ?? fieldElement(key));
    if (member === undefined || subset === undefined) continue;
    count++;
    setOwn(kept, key, extractItems(field?.type ?? memberType(plan, key), member, subset));
  }
  return count === 0 ? null : kept;
}

function extractListItems(plan: ListPlan, items: readonly JsonValue[], set: FieldSet): JsonValue {
  const kept: JsonValue[] = [];
  for (const [position, item] of items.entries()) {
    const subset = set.children.get(storedItemElement(plan, item, position));
    if (subset !== undefined) kept.push(extractItems(plan.items, item, subset));
  }
  return kept.length === 0 ? null : kept;
}
