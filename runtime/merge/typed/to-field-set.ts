/** The path sets of values: what a value says as a configuration, and every path there is in it. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { FromBelow, recursionLevels } from '../../objects/from-below.js';
import { isObject } from '../../objects/guards.js';
import { type FieldSet, fieldSet, isEmpty, LEAF } from '../fieldpath/field-set.js';
import { fieldElement, type PathElement } from '../fieldpath/path-element.js';
import { Duplicates, indexItems } from './list-items.js';
import { granularList, granularMap, type ListPlan, type MapPlan, memberType, type TypePlan } from './type-plan.js';

/**
 * Returns the paths that a configuration takes ownership of: leaves, list items, and members of maps that no schema
 * names. Containers that the schema names are left out unless they are null or empty objects.
 */
export function toFieldSet(type: TypePlan, value: JsonValue): FieldSet {
  return fieldSet(false, setOf(type, value, false, 0).children);
}

/** Returns every path in a value, containers included, for values that are added or removed as a whole. */
export function everyPath(type: TypePlan, value: JsonValue): FieldSet {
  return owned(setOf(type, value, true, 0));
}

const sets = new FromBelow(LEAF);

/** Returns the set of a value for its parent; empty for a value that owns nothing, such as an empty list of items. */
function setOf(type: TypePlan, value: JsonValue, whole: boolean, level: number): FieldSet {
  if (typeof value !== 'object') return LEAF;
  if (level === recursionLevels && value !== null) {
    return sets.resultOf([value, type, whole], () => setOf(type, value, whole, 0));
  }
  const map = granularMap(type, value);
  if (map !== undefined) return isObject(value) ? mapSet(map, value, whole, level + 1) : LEAF;
  const list = granularList(type, value);
  return list !== undefined && Array.isArray(value) ? listSet(list, value, whole, level + 1) : LEAF;
}

function mapSet(plan: MapPlan, value: JsonObject, whole: boolean, level: number): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  let members = 0;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    members++;
    addMember(plan, key, member, whole, level, children);
  }
  // An object without members is owned itself. An object is not if its members own nothing.
  return fieldSet(whole || members === 0, children);
}

function addMember(
  plan: MapPlan,
  key: string,
  value: JsonValue,
  whole: boolean,
  level: number,
  children: Map<PathElement, FieldSet>,
): void {
  const field = plan.fields.get(key);
  if (field === undefined) {
    children.set(fieldElement(key), owned(setOf(memberType(plan, key), value, whole, level)));
  } else if (field.tracking !== 'none') {
    const set = setOf(field.type, value, whole, level);
    const tracked = field.tracking === 'parts' ? fieldSet(false, set.children) : set;
    if (!isEmpty(tracked)) children.set(field.element, tracked);
  }
}

function listSet(plan: ListPlan, value: readonly JsonValue[], whole: boolean, level: number): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, item] of indexItems(plan, value)) {
    children.set(element, item instanceof Duplicates ? LEAF : owned(setOf(plan.items, item, whole, level)));
  }
  return fieldSet(whole, children);
}

function owned(set: FieldSet): FieldSet {
  return set.owned ? set : fieldSet(true, set.children);
}
