/** The path sets of values: what a value says as a configuration, and every path there is in it. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { type FieldSet, fieldSet, isEmpty, LEAF } from '../fieldpath/field-set.js';
import { fieldElement, type PathElement } from '../fieldpath/path-element.js';
import { Duplicates, indexItems } from './list-items.js';
import { granularList, granularMap, type ListPlan, type MapPlan, memberType, type TypePlan } from './type-plan.js';

/**
 * The paths a configuration takes ownership of: leaves, list items, and members of maps that no schema names.
 * Containers that the schema names are not among them unless they are null or empty objects.
 */
export function toFieldSet(type: TypePlan, value: JsonValue): FieldSet {
  const set = setOf(type, value, false);
  return fieldSet(false, set?.children);
}

/** Every path in a value, containers included: what comes into being with it, or goes with it. */
export function everyPath(type: TypePlan, value: JsonValue): FieldSet {
  return setOf(type, value, true) ?? LEAF;
}

/** The set of a value as its parent sees it; `undefined` where it says nothing (an empty set list). */
function setOf(type: TypePlan, value: JsonValue, whole: boolean): FieldSet | undefined {
  if (typeof value !== 'object') return LEAF;
  const map = granularMap(type, value);
  if (map !== undefined) return mapSet(map, value, whole);
  const list = granularList(type, value);
  return list === undefined ? LEAF : listSet(list, value, whole);
}

function mapSet(plan: MapPlan, value: JsonValue, whole: boolean): FieldSet {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return LEAF;
  const children = new Map<PathElement, FieldSet>();
  for (const key of Object.keys(value)) addMember(plan, key, value, whole, children);
  return children.size === 0 ? emptyMapSet(value) : { owned: whole, children };
}

/** An object that says nothing of its parts is itself a statement, but not one whose parts are all empty lists. */
function emptyMapSet(value: JsonObject): FieldSet {
  for (const key of Object.keys(value)) if (value[key] !== undefined) return fieldSet(false, undefined);
  return LEAF;
}

function addMember(
  plan: MapPlan,
  key: string,
  parent: JsonObject,
  whole: boolean,
  children: Map<PathElement, FieldSet>,
): void {
  const value = parent[key];
  if (value === undefined) return;
  const field = plan.fields.get(key);
  if (field === undefined) {
    children.set(fieldElement(key), owned(setOf(memberType(plan, key), value, whole)));
  } else if (field.tracking !== 'none') {
    const set = setOf(field.type, value, whole);
    const tracked = field.tracking === 'parts' ? fieldSet(false, set?.children) : set;
    if (tracked !== undefined && !isEmpty(tracked)) children.set(field.element, tracked);
  }
}

function listSet(plan: ListPlan, value: JsonValue, whole: boolean): FieldSet | undefined {
  if (!Array.isArray(value)) return LEAF;
  if (value.length === 0) return whole ? LEAF : undefined;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, item] of indexItems(plan, value)) {
    children.set(element, item instanceof Duplicates ? LEAF : owned(setOf(plan.items, item, whole)));
  }
  return { owned: whole, children };
}

function owned(set: FieldSet | undefined): FieldSet {
  if (set === undefined) return LEAF;
  return set.owned ? set : fieldSet(true, set.children);
}
