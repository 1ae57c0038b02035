/** Path sets of values: the fields of a value, and the fields that differ between two values. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { FromBelow, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isObject } from '../../objects/guards.js';
import { EMPTY, type FieldSet, fieldSet, isEmpty, LEAF, recursiveDifference } from '../field-set.js';
import { fieldElement, type PathElement } from '../path-element.js';
import { granularList, granularMap, type ListPlan, type MapPlan, memberType, type TypePlan } from '../type-plan.js';
import { Duplicates, indexItems, indexSteps, withSteps } from './list-items.js';

/** Paths that are new or have another value, and removed paths. */
export interface Comparison {
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Compares two objects. For an added or removed container, the result has its own path and every path in it. Visits
 * each member once, and allocates nothing for equal parts.
 */
export function compare(type: TypePlan, old: JsonObject, next: JsonObject): Comparison {
  const change = compareAt(type, old, next, 0);
  if (change === undefined) return NO_CHANGE;
  // The object as a whole has no owner.
  return { written: fieldSet(false, change.written.children), removed: fieldSet(false, change.removed.children) };
}

/**
 * Returns the paths that a configuration becomes the owner of: leaves, list items, and members of maps that no schema
 * names. Leaves out containers that the schema names, unless they are null or empty objects.
 */
export function toFieldSet(type: TypePlan, value: JsonValue): FieldSet {
  return fieldSet(false, setOf(type, value, false, 0).children);
}

/** Returns every path in a value, including containers, for values that are added or removed as a whole. */
export function everyPath(type: TypePlan, value: JsonValue): FieldSet {
  return owned(setOf(type, value, true, 0));
}

const sets = new FromBelow(LEAF);

/**
 * Returns the set of a value for the set of its parent. Returns an empty set for a value without paths, such as an
 * empty list of items.
 */
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
  // An object without members is itself in the set. An object with members is not, even if none of them is in the set.
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

const NO_CHANGE: Comparison = { written: EMPTY, removed: EMPTY };

export function isSame(comparison: Comparison): boolean {
  return isEmpty(comparison.written) && isEmpty(comparison.removed);
}

/** Returns the comparison without the paths of a set and everything below them. */
export function excluding(comparison: Comparison, ignored: FieldSet): Comparison {
  const written = recursiveDifference(comparison.written, ignored);
  const removed = recursiveDifference(comparison.removed, ignored);
  return { written, removed };
}

const REPLACED: Comparison = { written: LEAF, removed: EMPTY };

const comparisons = new FromBelow<Comparison | undefined>(undefined);

/** Compares two values. Returns `undefined` if nothing changed. */
function compareAt(type: TypePlan, old: JsonValue, next: JsonValue, level: number): Comparison | undefined {
  if (old === next) return undefined;
  if (level === recursionLevels && typeof next === 'object' && next !== null) {
    return comparisons.resultOf([next, old, type], () => compareAt(type, old, next, 0));
  }
  if (typeof old !== 'object' && typeof next !== 'object') return equal(old, next) ? undefined : REPLACED;
  const oldMap = granularMap(type, old);
  const nextMap = granularMap(type, next);
  if (oldMap !== undefined && nextMap !== undefined)
    return compareMaps(oldMap, asMap(old), asMap(next), old, next, begin(level + 1));
  const oldList = granularList(type, old);
  const nextList = granularList(type, next);
  if (oldList !== undefined && nextList !== undefined)
    return compareLists(oldList, asList(old), asList(next), old, next, begin(level + 1));
  if (equal(old, next)) return undefined;
  return (oldMap ?? nextMap ?? oldList ?? nextList) ? compareKinds(type, old, next) : REPLACED;
}

/**
 * Compares values of different kinds: all parts of the old value are removed, and all parts of the new value are
 * written.
 */
function compareKinds(type: TypePlan, old: JsonValue, next: JsonValue): Comparison {
  return {
    written: fieldSet(true, everyPath(type, next).children),
    removed: fieldSet(false, everyPath(type, old).children),
  };
}

function asMap(value: JsonValue): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function asList(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The parts that changed so far. Maps are made when first needed. */
interface Changes {
  written: Map<PathElement, FieldSet> | undefined;
  removed: Map<PathElement, FieldSet> | undefined;
  /** The depth of the recursion below the value with these parts. */
  readonly level: number;
}

const begin = (level: number): Changes => ({ written: undefined, removed: undefined, level });

function note(
  changes: Changes,
  element: PathElement,
  written: FieldSet | undefined,
  removed: FieldSet | undefined,
): void {
  if (written !== undefined && !isEmpty(written)) {
    changes.written ??= new Map();
    changes.written.set(element, written);
  }
  if (removed !== undefined && !isEmpty(removed)) {
    changes.removed ??= new Map();
    changes.removed.set(element, removed);
  }
}

function finish(changes: Changes): Comparison | undefined {
  if (changes.written === undefined && changes.removed === undefined) return undefined;
  return { written: fieldSet(false, changes.written), removed: fieldSet(false, changes.removed) };
}

/** Compares two maps. `was` and `is` are the original values, because null differs from an empty map. */
function compareMaps(
  plan: MapPlan,
  old: JsonObject,
  next: JsonObject,
  was: JsonValue,
  is: JsonValue,
  changes: Changes,
): Comparison | undefined {
  let members = 0;
  let kept = 0;
  for (const key of Object.keys(next)) {
    const value = next[key];
    if (value === undefined) continue;
    members++;
    const before = getOwn(old, key);
    if (before !== undefined) kept++;
    if (before !== value) compareMember(plan, key, before, value, changes);
  }
  const oldKeys = Object.keys(old);
  // If the loop above found every old member, none is removed.
  if (oldKeys.length > kept) members += noteRemovedOf(plan, old, oldKeys, next, changes);
  if (members === 0) return equal(was, is) ? undefined : REPLACED;
  return finish(changes);
}

/** Notes the removed members, and returns their number. */
function noteRemovedOf(
  plan: MapPlan,
  old: JsonObject,
  oldKeys: readonly string[],
  next: JsonObject,
  changes: Changes,
): number {
  let gone = 0;
  for (const key of oldKeys) {
    const value = old[key];
    if (value === undefined || getOwn(next, key) !== undefined) continue;
    gone++;
    noteRemoved(plan, key, value, changes);
  }
  return gone;
}

function compareMember(
  plan: MapPlan,
  key: string,
  before: JsonValue | undefined,
  value: JsonValue,
  changes: Changes,
): void {
  const field = plan.fields.get(key);
  if (field?.tracking === 'none') return;
  const type = field?.type ?? memberType(plan, key);
  const element = field?.element ?? fieldElement(key);
  if (before === undefined) {
    const paths = everyPath(type, value);
    note(changes, element, field?.tracking === 'parts' ? fieldSet(false, paths.children) : paths, undefined);
    return;
  }
  const change = compareAt(type, before, value, changes.level);
  if (change !== undefined) note(changes, element, change.written, change.removed);
}

function noteRemoved(plan: MapPlan, key: string, value: JsonValue, changes: Changes): void {
  const field = plan.fields.get(key);
  if (field?.tracking === 'none') return;
  const type = field?.type ?? memberType(plan, key);
  note(changes, field?.element ?? fieldElement(key), undefined, everyPath(type, value));
}

function compareLists(
  plan: ListPlan,
  old: readonly JsonValue[],
  next: readonly JsonValue[],
  was: JsonValue,
  is: JsonValue,
  changes: Changes,
): Comparison | undefined {
  if (old.length === 0 && next.length === 0) return equal(was, is) ? undefined : REPLACED;
  // Most lists did not change, and this check needs no index.
  if (old.length === next.length && equal(was, is)) return undefined;
  const oldSteps = withSteps(plan, old);
  const oldItems = indexSteps(oldSteps);
  const nextItems = indexSteps(withSteps(plan, next, oldSteps));
  for (const [element, item] of nextItems) compareItems(plan, element, oldItems.get(element), item, changes);
  for (const [element, item] of oldItems) {
    if (!nextItems.has(element)) note(changes, element, undefined, everyItemPath(plan, item));
  }
  return finish(changes);
}

/** Compares the items with the same step. If their number changes between one and several, all of them changed. */
function compareItems(
  plan: ListPlan,
  element: PathElement,
  before: JsonValue | Duplicates | undefined,
  item: JsonValue | Duplicates,
  changes: Changes,
): void {
  if (before === undefined) note(changes, element, everyItemPath(plan, item), undefined);
  else if (before instanceof Duplicates && item instanceof Duplicates) {
    if (!equal(before.items, item.items)) note(changes, element, LEAF, undefined);
  } else if (before instanceof Duplicates || item instanceof Duplicates) {
    note(changes, element, everyItemPath(plan, item), everyItemPath(plan, before));
  } else {
    const change = compareAt(plan.items, before, item, changes.level);
    if (change !== undefined) note(changes, element, change.written, change.removed);
  }
}

function everyItemPath(plan: ListPlan, item: JsonValue | Duplicates): FieldSet {
  return item instanceof Duplicates ? LEAF : everyPath(plan.items, item);
}
